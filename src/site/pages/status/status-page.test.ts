import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aFact,
  anEmptySnapshot,
  aSnapshot,
  aStation,
  doubtful,
  expired,
  NOON,
  recordsOf,
  trusted,
} from '../../../../test/support/builders/snapshot-builders.ts';
import { aSite, readPage } from '../../../../test/support/service/site-builders.ts';
import { health } from '../../../api/rendering/health-answer.ts';
import { formatCount } from '../../html/formats.ts';

const HOUR = 3_600_000;
const records = [
  ...recordsOf(aStation({ id: '00000000000a' }), {
    petrol: trusted(7_450),
    diesel: doubtful(7_890, 'stuck', '2026-10-01'),
    lpg: expired('2026-11-18T12:05:00Z'),
  }),
  ...recordsOf(aStation({ id: '00000000000b' }), {
    petrol: { kind: 'trusted', price: 7_400, fact: aFact({ source: 'manual', price: 7_400 }) },
    petrol_premium: { kind: 'incoherent' },
  }),
];
const register = { name: 'register', deliveredAt: NOON - HOUR, downloadedAt: NOON - HOUR };
const list = { name: 'prices:socar', deliveredAt: NOON - 30 * HOUR, downloadedAt: NOON - HOUR };
const snapshot = aSnapshot({ records, sources: [register] });

/** The count that the page shows of each field of `/health`. */
const figuresOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<dt><code>(\w+)<\/code><\/dt><dd><strong>(.*?)<\/strong>/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

describe('the status page', () => {
  it('has the figures of /api/v1/health for the same moment', () => {
    const record = health(snapshot, NOON);
    const shown = figuresOf(readPage('/stare', { snapshot }));
    assert.deepEqual([...Object.keys(shown), 'status'].sort(), Object.keys(record).sort());
    for (const [field, value] of Object.entries(record))
      if (typeof value === 'number' && !field.startsWith('vechime'))
        assert.equal(shown[field], formatCount(value, 'ro'), field);
    assert.equal(record.vechime_maxima_secunde, 3600);
    assert.equal(shown.vechime_maxima_secunde, '1 oră');
    assert.equal(shown.vechime_secunde, '30 de minute');
    assert.equal(shown.observatie_cea_mai_veche, '19 noiembrie 2026');
  });

  it('is fresh exactly when /api/v1/health is', () => {
    const worlds = [
      snapshot,
      aSnapshot({ records, sources: [register, list] }),
      aSnapshot({ records, sources: [] }),
      aSnapshot({ records: [], sources: [register] }),
      anEmptySnapshot(),
    ];
    for (const world of worlds) {
      const isOk = health(world, NOON).status === 'ok';
      assert.equal(/class="lead state good"/.test(readPage('/stare', { snapshot: world })), isOk);
    }
  });

  it('says of each source when it delivered and what it covers', () => {
    const text = readPage('/stare', { snapshot });
    assert.match(text, /Monitorul Prețurilor<\/th>.*la zi.*acum 1 oră.*2 prețuri din 1 benzinărie/);
    assert.match(text, /1 preț din 1 benzinărie vin|1 preț din 1 benzinărie/);
    assert.match(text, /Niciun incident acum/);
  });

  it('tells of a silent source, and of a reading that was set aside', () => {
    const given = { snapshot: aSnapshot({ records, sources: [register, list] }) };
    assert.match(
      readPage('/stare', given),
      /<li>Lista de prețuri Socar nu a mai livrat de 30 de ore\. Prețurile ei au fost retrase/,
    );
    assert.match(readPage('/en/status', given), /<li>The price list of Socar answered on [^<]+ set aside by the check/);
    const late = { snapshot, clock: () => NOON + 7 * HOUR };
    assert.match(readPage('/en/status', late), /has not delivered for 8 hours, longer than usual/);
    const never = aSnapshot({ sources: [{ name: 'rompetrol', deliveredAt: null, downloadedAt: null }] });
    assert.match(readPage('/stare', { snapshot: never }), /<li>Pagina Rompetrol nu a livrat încă niciodată/);
  });

  it('tells of a station list that is late, though prices do not depend on it', () => {
    const locators = [
      { name: 'locator:mol', deliveredAt: NOON - 72 * HOUR, downloadedAt: NOON - 72 * HOUR },
      { name: 'locator:omv', deliveredAt: NOON - 30 * HOUR, downloadedAt: NOON - 30 * HOUR },
    ];
    const given = { snapshot: aSnapshot({ records, sources: [register], locators }) };
    const text = readPage('/stare', given);
    assert.match(text, /<li>Lista de stații MOL nu a mai livrat de 3 zile\. Prețurile nu depind de ea;/);
    assert.match(text, /<li>Lista de stații OMV: ultima livrare acum 30 de ore</);
    assert.doesNotMatch(text, /OMV nu a mai livrat/);
    assert.match(text, /class="lead state good"/);
  });

  it('counts the prices by fuel and state, and the doubtful ones by reason', () => {
    const text = readPage('/stare', { snapshot });
    const counts = (name: string) =>
      [...(new RegExp(`<th scope="row">${name}</th>(.*)`).exec(text)?.[1] ?? '').matchAll(/>(\d+)</g)].map(
        ([, n]) => n,
      );
    assert.deepEqual(counts('Benzină standard'), ['2', '0', '0', '0', '0', '2']);
    assert.deepEqual(counts('Toate'), ['2', '1', '1', '1', '0', '5']);
    assert.match(text, /<li><strong>1<\/strong> neschimbate, deși prețurile rețelei s-au mișcat/);
  });

  it('is written again as time passes, though nothing else changes', () => {
    let now = NOON;
    const site = aSite({ snapshot, clock: () => now });
    const first = site('/stare');
    assert.equal(site('/stare'), first);
    now += 5 * 60_000;
    assert.match(site('/stare').body.toString(), /acum 35 de minute/);
  });

  it('says so before the first publication', () => {
    const text = readPage('/stare', { snapshot: anEmptySnapshot() });
    assert.match(text, /Nicio sursă de prețuri nu este în serviciu/);
    assert.doesNotMatch(text, /NaN|undefined|Invalid|1970/);
  });
});
