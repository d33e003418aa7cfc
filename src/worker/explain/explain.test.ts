import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  aKnownStation,
  aStationFact,
  DAY,
  HOUR,
  onDay,
  someFacts,
} from '../../../test/support/builders/facts-builders.ts';
import { NOON, TODAY } from '../../../test/support/builders/snapshot-builders.ts';
import { COLLECTION_SETTINGS } from '../../../test/support/collection/collector-fixture.ts';
import type { Fuel } from '../../domain/fuel.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { StoredPrice } from '../../domain/prices/facts.ts';
import { MAX_PRICE_AGE_MS } from '../../domain/prices/price-verdict.ts';
import { explainStation, factVerdictCode } from './explain.ts';
import { factText, servedText } from './explain-words.ts';

const STATION = aKnownStation('a');

/** What an operator reads about one fuel: what is served, the rule, and each fact after its source. */
function explainedFacts(
  prices: readonly StoredPrice[],
  fuel: Fuel = 'petrol',
  settings: CollectionSettings = COLLECTION_SETTINGS,
): string[] {
  const others = ['b', 'c', 'd', 'e'].map((id) => aKnownStation(id));
  const facts = someFacts({ stations: [STATION, ...others], prices });
  const [found] = explainStation(facts, settings, STATION, NOON).filter((each) => each.fuel === fuel);
  assert.ok(found, 'the fuel is not explained');
  const { served, rule } = servedText(found);
  return [served, rule, ...found.facts.map((each) => `${each.fact.source}: ${factText(each, settings.ranges, NOON)}`)];
}

const petrol = (source: string, price: number | null, fact: Partial<StoredPrice> = {}) =>
  aStationFact('a', 'petrol', price, { source, observed: null, ...fact });
const silent = { readAt: NOON - DAY - HOUR };
const TEXT = 'unchanged since 2026-11-17, unit 54975:petrol last read 0.5 h ago';

describe('the rule that chose a price', () => {
  test('is shown with every fact in order of precedence, each with its own verdict', () => {
    assert.deepEqual(
      explainedFacts([
        petrol('manual', 7_300),
        petrol('rompetrol', 7_350),
        petrol('prices:petrom', 7_400),
        petrol('register', 7_455),
      ]),
      [
        '7.40 RON/l from prices:petrom',
        'rule 25, which source wins: it takes precedence over register, rompetrol, manual',
        `prices:petrom: CHOSEN: 7.40 RON/l, no date given, ${TEXT}: trusted`,
        `register: 7.455 RON/l, no date given, ${TEXT}: trusted`,
        `rompetrol: 7.35 RON/l, no date given, ${TEXT}: trusted`,
        `manual: 7.30 RON/l, no date given, ${TEXT}: trusted`,
      ],
    );
  });

  test('names the facts that it passed over, and prefers the newest among equals', () => {
    const stale = { observed: { day: '2026-11-12', at: null, text: '12.11.2026' } };
    const [served, rule, list, register] = explainedFacts([
      petrol('register', 7_455, stale),
      petrol('prices:petrom', 7_400, silent),
      petrol('rompetrol', 7_350, { observed: onDay('2026-11-18') }),
      petrol('lukoil', 7_360, { observed: onDay('2026-11-19') }),
    ]);
    assert.equal(served, '7.36 RON/l from lukoil');
    assert.equal(rule, 'rule 25, which source wins: prices:petrom is silent, register is doubtful');
    assert.match(
      list ?? '',
      /last read 25\.0 h ago: silent since 2026-11-19T07:00:00\+00:00, withdrawn since 2026-11-20T07:00:00\+00:00$/,
    );
    assert.match(
      register ?? '',
      /observed 2026-11-12 \("12\.11\.2026"\), .*: doubtful, stale: the source's own date, 2026-11-12, is at least 7 days old$/,
    );
  });

  test('names the doubt if no source is trusted', () => {
    const [served, rule] = explainedFacts([petrol('register', 7_455, { missingSince: NOON - 2 * DAY })]);
    assert.equal(served, '7.455 RON/l from register, not trusted');
    assert.equal(
      rule,
      'rule 26, orphan: complete sweeps of its area lack it since 2026-11-18T08:00:00+00:00; rule 25, which source wins: no other source has a price that counts',
    );
    const others = ['b', 'c', 'd'].map((id) => aStationFact(id, 'petrol', 7_400, { observed: null }));
    const stuck = petrol('register', 7_455, { sinceDay: TODAY - 20 });
    assert.match(
      explainedFacts([stuck, ...others])[1] ?? '',
      /^rule 26, stuck: unchanged since 2026-10-31 while at least half/,
    );
  });

  test('is named when all sources are silent, a premium price is below the standard one, or no price is valid', () => {
    const [none, silence] = explainedFacts([petrol('register', 7_455, silent), petrol('manual', null)]);
    assert.equal(none, 'no price');
    assert.match(silence ?? '', /^rule 25, silence: .*; register is silent, manual has no price$/);

    const premium = aStationFact('a', 'petrol_premium', 7_300);
    assert.equal(
      explainedFacts([petrol('register', 7_400), premium], 'petrol_premium')[1],
      "rule 27, incoherent: 7.30 RON/l from register is below the standard fuel's 7.40 RON/l from register",
    );

    const [, invalid, first, second] = explainedFacts([petrol('register', 99_000), petrol('rompetrol', null)]);
    assert.equal(
      invalid,
      'rules 24 and 32, no source gives a valid price: register is out of range, rompetrol has no price',
    );
    assert.match(first ?? '', /: outside 5\.50 RON\/l to 12\.00 RON\/l \(rule 24\)$/);
    assert.match(second ?? '', /^rompetrol: no usable price, .*: its row carries no price \(rule 32\)$/);
  });

  test('is shown with facts that cannot win, too', () => {
    const gone = { missingSince: NOON - 40 * DAY };
    const [served, rule, ...facts] = explainedFacts([
      petrol('register', 7_455, gone),
      petrol('rompetrol', 7_300, gone),
      petrol('locator:petrom', null),
    ]);
    assert.deepEqual(
      [served, rule],
      [
        'no price',
        'rules 24 and 32, no source gives a valid price: register has lacked it for more than 30 days, rompetrol no longer has it, locator:petrom has no price',
      ],
    );
    assert.match(facts[0] ?? '', /: missing since 2026-10-11T.*, withdrawn since 2026-11-10T.* \(rule 26\)$/);
    assert.match(facts[1] ?? '', /: missing in its source since 2026-10-11T.*, so it does not count \(rule 26\)$/);
    assert.match(facts[2] ?? '', /: a locator adds no record where another source has one \(rule 26\)$/);

    const [nothing, , only] = explainedFacts([petrol('register', 7_455)], 'petrol', {
      ...COLLECTION_SETTINGS,
      inService: ['rompetrol'],
    });
    assert.equal(nothing, 'no record');
    assert.match(only ?? '', /: its source is not in SOURCES, so it does not count$/);
  });
});

test('the verdicts in `--json` keep the names that scripts know', () => {
  assert.deepEqual(
    (['trusted', 'doubtful', 'withdrawn_from_map', 'redundant_locator_record'] as const).map(factVerdictCode),
    ['relied', 'doubtful', 'off_map', 'idle_pin'],
  );
});

test('the documents name the hours for which a price counts', () => {
  const hours = `${MAX_PRICE_AGE_MS / HOUR} hours`;
  const text = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
  assert.ok(text('RULES.md').replaceAll(/\s+/g, ' ').includes(`price counts for ${hours} after`));
  assert.ok(text('CONTRACT.md').includes(`its source has been silent for over ${hours}`));
});
