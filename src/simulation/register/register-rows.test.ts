import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { dayNumber } from '../../domain/days.ts';
import { exampleCountry, stationsWithAnomaly } from '../country/example-country.ts';
import { registerQuote } from '../country/simulated-prices.ts';
import type { SimulatedStation } from '../country/simulated-station.ts';
import { registeredStation } from './country-contents.ts';
import { itemsBody, reportTimeText } from './register-rows.ts';
import { answerXml, errorXml } from './register-xml.ts';

const country = exampleCountry();
const petrom = country.stations.find(({ network, contact }) => network === 'PETROM' && contact !== null);
assert.ok(petrom);
const full: SimulatedStation = { ...petrom, reportMinute: 1_205, anomalies: [] };
const MOMENT = { day: dayNumber('2026-06-10'), minute: 1_300 };
const quote = registerQuote(country, full, 'petrol', MOMENT);
assert.ok(quote.kind === 'priced');
const PRICE = quote.price / 1000;

/** The body about one station's petrol. */
function bodyOf(station: SimulatedStation): object {
  const { services, ...rows } = registeredStation(country, station);
  const products = rows.productRows('petrol', 0.684054, MOMENT);
  return itemsBody([rows.stationRow(MOMENT)], products, services, [{ lat: 44.5, lng: 26.1 }]);
}

const sentBody = (station: SimulatedStation) => JSON.parse(JSON.stringify(bodyOf(station)));

describe('gas items as sent', () => {
  const body = sentBody(full);

  it('have the envelope as recorded, mixed case included', () => {
    assert.deepEqual(Object.keys(body), ['Stations', 'Products', 'services', 'area', 'areawkt']);
    assert.deepEqual(body.area, { Points: [{ Lat: 44.5, Lon: 26.1 }] });
    assert.equal(body.areawkt, '');
  });

  it('have stations as recorded', () => {
    assert.deepEqual(body.Stations, [
      {
        id: full.id,
        name: full.name,
        updatedate: '10/06/2026 20:05 ',
        network: {
          id: 'PETROM',
          name: 'PETROM',
          logo: { logouri: 'http://monitorulpreturilor.info/MonitorulPreturilor/Images/petrom.png' },
        },
        addr: {
          addrstring: full.address,
          zipcode: full.zipcode,
          location: { Lat: full.lat, Lon: full.lng },
          wkt: `POINT(${full.lng} ${full.lat})`,
          uatid: String(full.siruta),
          contactdetails: full.contact,
        },
      },
    ]);
  });

  it('have products as recorded, joined by station id', () => {
    assert.deepEqual(body.Products, [
      {
        id: '02',
        stationid: full.id,
        name: 'Benzina Standard 95 / Benzina 95',
        price: PRICE,
        specs: 'Carburant de calitate, respecta normele de emisie Euro 5. Date simulate.',
        distance: 0.68405,
        network: body.Stations[0].network,
        catprod: { id: '11', name: 'Benzină standard', logo: {} },
        logo: {},
      },
    ]);
  });

  it('have one row per service and station', () => {
    const station = { ...full, services: ['1', '7'] };
    assert.deepEqual(sentBody(station).services, [
      {
        id: '1',
        name: 'Magazin',
        logo: { logouri: 'http://monitorulpreturilor.info/MonitorulPreturilor/Images/magazin.png' },
        stationid: full.id,
      },
      {
        id: '7',
        name: 'Plati facturi, reincarcare electronica',
        logo: { logouri: 'http://monitorulpreturilor.info/MonitorulPreturilor/Images/facturi.png' },
        stationid: full.id,
      },
    ]);
  });

  it('leave absent fields out, never null', () => {
    const unpriced = {
      station: '',
      siruta: 0,
      kind: 'price-missing',
      fuel: 'petrol',
      since: null,
      price: null,
    } as const;
    const bare = { ...full, contact: null, declared: null, services: [], anomalies: [unpriced] };
    const { Stations, Products, services } = sentBody(bare);
    assert.deepEqual(Object.keys(Stations[0].addr), ['addrstring', 'zipcode', 'uatid']);
    assert.equal('price' in Products[0], false);
    assert.deepEqual(services, []);
  });

  it('have two products of one fuel where an operator lists two', () => {
    const [station] = stationsWithAnomaly(country, 'two-products').filter(
      ({ anomalies }) => anomalies[0]?.fuel === 'petrol',
    );
    assert.ok(station);
    const { Stations, Products } = sentBody(station);
    assert.equal(Stations.length, 1);
    assert.equal(new Set(Products.map(({ id }: { id: string }) => id)).size, 2);
  });

  it('keep quotes, backslashes and diacritics in names', () => {
    const name = 'La "Ștefan" \\ 1 & <fiii>';
    assert.equal(sentBody({ ...full, name }).Stations[0].name, name);
  });

  it('write dates as day/month/year hour:minute and a space', () => {
    assert.equal(reportTimeText(dayNumber('2026-06-11'), 19), '11/06/2026 00:19 ');
    assert.equal(reportTimeText(dayNumber('2026-06-10'), 1_205), '10/06/2026 20:05 ');
  });
});

describe('XML of the register', () => {
  const name = 'A & B <"ș">';
  const xml = answerXml('GasItems', bodyOf({ ...full, name }));
  const root = parseXml(xml).root;
  assert.ok(root);
  const names = (element: XmlElement): string[] =>
    element.children.filter((child) => child instanceof XmlElement).map((child) => child.name);
  const at = (...path: string[]): XmlElement => {
    let element: XmlElement = root;
    for (const step of path) {
      const next = element.children.find((child) => child instanceof XmlElement && child.name === step);
      assert.ok(next instanceof XmlElement, step);
      element = next;
    }
    return element;
  };

  it('has no prolog and the namespace as recorded', () => {
    assert.match(
      xml,
      /^<GasItems xmlns:i="http:\/\/www\.w3\.org\/2001\/XMLSchema-instance" xmlns="http:\/\/schemas\.datacontract\.org\/2004\/07\/pmonsvc\.Models\.Protos">/,
    );
  });

  it('has capital names in alphabetical order', () => {
    assert.deepEqual(names(root), ['Area', 'Areawkt', 'Products', 'Services', 'Stations']);
    assert.deepEqual(names(at('Stations', 'GasStation')), ['Addr', 'Id', 'Name', 'Network', 'Updatedate']);
    assert.deepEqual(names(at('Stations', 'GasStation', 'Addr')), [
      'Addrstring',
      'Contactdetails',
      'Location',
      'Uatid',
      'Wkt',
      'Zipcode',
    ]);
    assert.deepEqual(names(at('Products', 'GasProduct')), [
      'Catprod',
      'Distance',
      'Id',
      'Logo',
      'Name',
      'Network',
      'Price',
      'Specs',
      'Stationid',
    ]);
    assert.deepEqual(names(at('Area', 'Points', 'Point')), ['Lat', 'Lon']);
  });

  it('has the same content as the JSON', () => {
    assert.equal(at('Stations', 'GasStation', 'Name').text, name);
    assert.equal(at('Stations', 'GasStation', 'Updatedate').text, '10/06/2026 20:05 ');
    assert.equal(at('Products', 'GasProduct', 'Price').text, String(PRICE));
    assert.equal(at('Stations', 'GasStation', 'Addr', 'Location', 'Lat').text, String(full.lat));
  });

  it('writes errors outside the namespace', () => {
    assert.equal(errorXml({ Message: 'a < b' }), '<Error><Message>a &lt; b</Message></Error>');
  });
});
