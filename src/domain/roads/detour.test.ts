import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { loadRoads } from '../../geodata/load-roads.ts';
import { distanceKm, type Point } from '../point.ts';
import { type Detour, type DetourFinder, journeyDetours } from './detour.ts';
import { type Route, routeFinder } from './route.ts';

const gazetteer = loadGazetteer();
const graph = loadRoads(gazetteer);
const place = (name: string) => gazetteer.findPlace(name) as Point;
const [cluj, turda, bucharest] = [place('Cluj-Napoca'), place('Turda'), place('București')];
const findDetours = journeyDetours(graph);
const findRoute = routeFinder(graph);

describe('the detours of a journey', () => {
  it('are what two routes over the stop take more than the direct one', () => {
    const detourTo = findDetours(cluj, bucharest);
    const direct = findRoute(cluj, bucharest) as Route;
    for (const name of ['Turda', 'Sibiu', 'Brașov', 'Alba Iulia', 'Bistrița']) {
      const stop = place(name);
      const [before, after] = [findRoute(cluj, stop) as Route, findRoute(stop, bucharest) as Route];
      const detour = detourTo?.(stop) as Detour;
      const expected = {
        km: before.km + after.km - direct.km,
        minutes: before.minutes + after.minutes - direct.minutes,
        kmFromStart: before.km,
      };
      for (const key of ['km', 'minutes', 'kmFromStart'] as const)
        assert.ok(Math.abs(detour[key] - Math.max(0, expected[key])) < 0.01, `${name} ${key}: ${detour[key]}`);
    }
  });

  it('are nothing at the start and at the destination', () => {
    const detourTo = findDetours(cluj, turda);
    for (const end of [cluj, turda]) {
      const { km, minutes } = (detourTo as DetourFinder)(end) as Detour;
      assert.ok(km < 0.01 && minutes < 0.01, `${km} km, ${minutes} min`);
    }
  });

  it('grow with the distance to the road', () => {
    const detourTo = findDetours(cluj, turda);
    const feleacu = { lat: 46.68, lng: 23.65 };
    const further = { lat: 46.68, lng: 23.7 };
    assert.ok((detourTo?.(feleacu)?.km ?? 0) < (detourTo?.(further)?.km ?? 0));
    assert.ok((detourTo?.(further)?.kmFromStart ?? 0) > distanceKm(cluj, further));
  });

  it('do not exist where no road leads', () => {
    const sea = { lat: 44, lng: 30.5 };
    assert.equal(findDetours(cluj, sea), undefined);
    assert.equal(findDetours(cluj, turda)?.(sea), undefined);
  });
});
