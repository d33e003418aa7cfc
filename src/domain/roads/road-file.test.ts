import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locality } from '../places/locality.ts';
import { distanceKm } from '../point.ts';
import { type FindLocality, parseRoads } from './road-file.ts';
import { buildRoadGraph } from './road-graph.ts';
import { routeFinder } from './route.ts';

/** Towns on a parallel, each some 7.9 km from the next. */
const TOWNS = ['Alfa', 'Beta', 'Gama', 'Delta', 'Omega'].map((name, index) => town(name, 45, 25 + index / 10));
const KM_APART = distanceKm(at('Alfa'), at('Beta'));

const find: FindLocality = (name, county) => (county === 'XX' ? TOWNS.find((place) => place.name === name) : undefined);

function town(name: string, lat: number, lng: number): Locality {
  const slug = name.toLowerCase();
  return { name, ascii: name, slug, county: 'XX', lat, lng, population: 1_000, siruta: null, alternates: [] };
}

function at(name: string): Locality {
  const place = TOWNS.find((other) => other.name === name);
  assert.ok(place);
  return place;
}

function lengths(text: string): (number | null)[] {
  return parseRoads(text, find).roads.flatMap(({ legs }) => legs.map(({ km }) => km && Math.round(km * 100) / 100));
}

const routes = (text: string) => routeFinder(buildRoadGraph(parseRoads(text, find), []));

describe('the road file', () => {
  it('ignores comments and empty lines', () => {
    assert.deepEqual(parseRoads('# DN1|p|Alfa:XX\n\n', find), { roads: [], waters: [] });
  });

  it('distributes a known distance over the legs since the last one', () => {
    assert.deepEqual(lengths('DN1|p|Alfa:XX,Beta:XX,Gama:XX=20,Delta:XX=9'), [10, 10, 9]);
  });

  it('leaves a leg without a figure unknown', () => {
    assert.deepEqual(lengths('DN1|p|Alfa:XX,Beta:XX=,Gama:XX,Delta:XX=18,Omega:XX'), [null, 9, 9, null]);
  });

  it('accepts positions for places that the gazetteer lacks, and motorway stops without an exit', () => {
    const [road] = parseRoads('A1|m|Alfa:XX,~Beta:XX,Pass@45.5/25.25', find).roads;
    assert.deepEqual(
      road?.legs.map(({ to }) => [to.lat, to.lng, to.exit]),
      [
        [45, 25.1, false],
        [45.5, 25.25, true],
      ],
    );
  });

  it('names an invalid line and says what would be right', () => {
    for (const [line, complaint] of [
      ['DN1|p|Alfa:XX', /^line 2: a road needs at least two stops$/],
      ['DN1|q|Alfa:XX,Beta:XX', /^line 2: a road must be “ref\|class\|stops” with a class of m,x,d,p,h,k,s$/],
      ['DN1', /^line 2: a road must be “ref\|class\|stops”/],
      ['DN1|p|Alfa:XX,Beta:XX|more', /^line 2: a road must be “ref\|class\|stops”/],
      ['DN1|p|Alfa:XX,Beta', /^line 2: “Beta” is not a stop: “Name:CC” or “Name@lat\/lng”/],
      ['DN1|p|Alfa:XX,Beta:YY', /^line 2: the gazetteer has no “Beta” in YY$/],
      ['DN1|p|Alfa:XX,Beta:XX=8.1.2', /^line 2: “8.1.2” is not a number of km$/],
      ['DN1|p|Alfa:XX,Beta:XX=5', /^line 2: 5 km to beta is less than the straight 7.9 km$/],
      ['DN1|p|Alfa:XX,Pass@45.5', /^line 2: “45.5” is not a position: “lat\/lng” in degrees$/],
      ['water|Sea|45/25,46/26', /^line 2: an area needs at least three corners$/],
    ] as const) {
      assert.throws(() => parseRoads(`# roads\n${line}`, find), { message: complaint }, line);
    }
  });
});

describe('a route', () => {
  const road = 'DN1|p|Alfa:XX,Beta:XX=9,Gama:XX=9';

  it('is as long as the file says and takes the speed of the class', () => {
    const route = routes(road)(at('Alfa'), at('Gama'));
    assert.ok(!('unreachable' in route));
    assert.ok(Math.abs(route.km - 18) < 1e-9);
    assert.ok(Math.abs(route.minutes - (18 / 74) * 60) < 1e-9);
    assert.deepEqual(
      route.line,
      ['Alfa', 'Beta', 'Gama'].map((name) => [at(name).lat, at(name).lng]),
    );
  });

  it('enters the nearest road at its nearest point, over 1.3 times the straight distance at 40 km/h', () => {
    const aside = { lat: 45.05, lng: 25.05 };
    const offKm = distanceKm(aside, { lat: 45, lng: 25.05 });
    const route = routes(road)(aside, at('Gama'));
    assert.ok(!('unreachable' in route));
    assert.ok(Math.abs(route.km - (offKm * 1.3 + 13.5)) < 0.01, `${route.km}`);
    assert.ok(Math.abs(route.minutes - (((offKm * 1.3) / 40) * 60 + (13.5 / 74) * 60)) < 0.02);
    assert.equal(route.line.length, 4);
  });

  it('between two places next to one edge follows that edge, not its ends', () => {
    const route = routes(road)({ lat: 45, lng: 25.02 }, { lat: 45, lng: 25.08 });
    assert.ok(!('unreachable' in route) && Math.abs(route.km - 9 * 0.6) < 0.01);
  });

  it('between two places nearer to each other than to the road does not use the road', () => {
    const route = routes(road)({ lat: 45.2, lng: 25.05 }, { lat: 45.2, lng: 25.06 });
    assert.ok(!('unreachable' in route) && route.km < 2);
  });

  it('uses a motorway if that is quicker, through its exits only', () => {
    const both = `${road},Delta:XX,Omega:XX\nA1|m|Alfa:XX,~Gama:XX,Omega:XX`;
    const find = routes(both);
    const far = find(at('Alfa'), at('Omega'));
    const toTown = find(at('Alfa'), at('Gama'));
    assert.ok(!('unreachable' in far) && Math.abs(far.km - (4 * KM_APART + 2)) < 0.1);
    assert.ok(!('unreachable' in toTown) && Math.abs(toTown.km - 18) < 1e-9);
  });

  it('is the shorter of two about equally quick ones', () => {
    const short = 'DN2|k|Alfa:XX,Beta:XX=8,Gama:XX=8';
    const long = 'DN1|p|Alfa:XX,North@45.04/25.1,Gama:XX=20';
    const route = routes(`${short}\n${long}`)(at('Alfa'), at('Gama'));
    assert.ok(!('unreachable' in route) && Math.abs(route.km - 16) < 1e-9);
    assert.ok((20 / 74) * 60 < route.minutes);
  });

  it('does not exist into a water area, beyond 30 km from any road, or if the roads do not meet', () => {
    const apart = `${road}\nDN9|p|Far@46/25,Off@46/25.1\nwater|Lake|45.1/25,45.1/25.3,45.2/25.3`;
    const find = routes(apart);
    const [lake, far, other] = [
      { lat: 45.12, lng: 25.2 },
      { lat: 45.5, lng: 26 },
      { lat: 46, lng: 25 },
    ];
    assert.deepEqual(find(at('Alfa'), lake), { unreachable: 'by water only', place: lake });
    assert.deepEqual(find(far, at('Alfa')), { unreachable: 'far from any road', place: far });
    assert.deepEqual(find(at('Alfa'), other), { unreachable: 'far from any road', place: other });
  });
});
