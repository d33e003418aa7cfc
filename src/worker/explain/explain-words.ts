/** Explanations as text: each rule by its number in `docs/RULES.md`, with the instants it depends on. */
import { dayText, isoInstant } from '../../domain/days.ts';
import type { MilliPrice, PriceRanges } from '../../domain/fuel.ts';
import type { StoredPrice } from '../../domain/prices/facts.ts';
import {
  MAX_PRICE_AGE_MS,
  ORPHAN_PRICE_MS,
  type PriceVerdict,
  priceExpiresAt,
} from '../../domain/prices/price-verdict.ts';
import type { ExplainedFact, Explanation, FactVerdict } from './explain.ts';

/** What is served and the rule that chose it. */
export function servedText({ record, choice, standardVerdict, facts }: Explanation): { served: string; rule: string } {
  if (record === null) return { served: 'no record', rule: 'no fact counts' };
  const { verdict } = record;
  switch (verdict.kind) {
    case 'trusted':
      return { served: `${ronText(verdict.price)} from ${verdict.fact.source}`, rule: choiceText(facts) };
    case 'doubtful': {
      const served = `${ronText(verdict.price)} from ${verdict.fact.source}, not trusted`;
      return { served, rule: `rule 26, ${DOUBT_WORDS[verdict.reason]}: ${doubtText(verdict)}; ${choiceText(facts)}` };
    }
    case 'expired':
      return {
        served: 'no price',
        rule: `rule 25, silence: every source with a price has been silent for more than ${MAX_PRICE_AGE_MS / HOUR_MS} hours; ${verdictList(facts)}`,
      };
    case 'incoherent': {
      const [premium, pump] = [verdictPriceText(choice), standardVerdict && verdictPriceText(standardVerdict)];
      return { served: 'no price', rule: `rule 27, incoherent: ${premium} is below the standard fuel's ${pump}` };
    }
    case 'unknown':
      return { served: 'no price', rule: `rules 24 and 32, no source gives a valid price: ${verdictList(facts)}` };
  }
}

/** One fact: what the source said and when, then its own verdict. */
export function factText({ fact, verdict, chosen }: ExplainedFact, ranges: PriceRanges, now: number): string {
  const parts = [
    fact.price === null ? 'no usable price' : ronText(fact.price),
    observedText(fact),
    `unchanged since ${dayText(fact.sinceDay)}`,
    `unit ${fact.unit} last read ${hoursText(now - fact.readAt)} ago`,
  ];
  return `${chosen ? 'CHOSEN: ' : ''}${parts.join(', ')}: ${verdictText(fact, verdict, ranges)}`;
}

function verdictText(fact: StoredPrice, verdict: FactVerdict, ranges: PriceRanges): string {
  const missing = fact.missingSince === null ? '' : isoInstant(fact.missingSince);
  switch (verdict.kind) {
    case 'trusted':
      return 'trusted';
    case 'doubtful':
      return `doubtful, ${DOUBT_WORDS[verdict.reason]}: ${doubtText(verdict)}`;
    case 'expired':
      return `silent since ${isoInstant(priceExpiresAt(fact) - MAX_PRICE_AGE_MS)}, withdrawn since ${isoInstant(priceExpiresAt(fact))}`;
    case 'no_price':
      return 'its row carries no price (rule 32)';
    case 'out_of_range':
      return `outside ${ronText(ranges[fact.fuel].min)} to ${ronText(ranges[fact.fuel].max)} (rule 24)`;
    case 'orphan_withdrawn': {
      const withdrawn = isoInstant((fact.missingSince ?? 0) + ORPHAN_PRICE_MS);
      return `missing since ${missing}, withdrawn since ${withdrawn} (rule 26)`;
    }
    case 'withdrawn_from_map':
      return `missing in its source since ${missing}, so it does not count (rule 26)`;
    case 'not_in_service':
      return 'its source is not in SOURCES, so it does not count';
    case 'redundant_locator_record':
      return 'a locator adds no record where another source has one (rule 26)';
  }
}

const HOUR_MS = 3_600_000;

const DOUBT_WORDS = { orphaned: 'orphan', stale: 'stale', stuck: 'stuck' } as const;

function doubtText({ fact, reason, since }: Extract<PriceVerdict, { kind: 'doubtful' }>): string {
  const day = since === null ? '' : dayText(since);
  switch (reason) {
    case 'orphaned':
      return `complete sweeps of its area lack it since ${isoInstant(fact.missingSince as number)}`;
    case 'stale':
      return `the source's own date, ${day}, is at least 7 days old`;
    case 'stuck':
      return `unchanged since ${day} while at least half of the network's other stations changed theirs`;
  }
}

/** Why this fact was chosen rather than one of higher precedence. */
function choiceText(facts: readonly ExplainedFact[]): string {
  const place = facts.findIndex(({ chosen }) => chosen);
  const before = facts.slice(0, place);
  const rivals = facts.filter(({ verdict, chosen }) => !chosen && isPriced(verdict));
  if (before.length > 0) return `rule 25, which source wins: ${verdictList(before)}`;
  if (rivals.length === 0) return 'rule 25, which source wins: no other source has a price that counts';
  return `rule 25, which source wins: it takes precedence over ${rivals.map(({ fact }) => fact.source).join(', ')}`;
}

const isPriced = ({ kind }: FactVerdict) => kind === 'trusted' || kind === 'doubtful';

function verdictList(facts: readonly ExplainedFact[]): string {
  return facts.map(({ fact, verdict }) => `${fact.source} ${SHORT_VERDICTS[verdict.kind]}`).join(', ');
}

const SHORT_VERDICTS: Readonly<Record<FactVerdict['kind'], string>> = {
  trusted: 'is trusted',
  doubtful: 'is doubtful',
  expired: 'is silent',
  no_price: 'has no price',
  out_of_range: 'is out of range',
  orphan_withdrawn: 'has lacked it for more than 30 days',
  withdrawn_from_map: 'no longer has it',
  not_in_service: 'is not in service',
  redundant_locator_record: 'has no price',
};

function observedText({ observed }: StoredPrice): string {
  if (observed === null) return 'no date given';
  const own = observed.text === null || observed.text === observed.day ? '' : ` ("${observed.text}")`;
  return `observed ${observed.at === null ? observed.day : isoInstant(observed.at)}${own}`;
}

function verdictPriceText(verdict: PriceVerdict): string {
  return 'price' in verdict ? `${ronText(verdict.price)} from ${verdict.fact.source}` : verdict.kind;
}

function ronText(milli: MilliPrice): string {
  return `${(milli / 1000).toFixed(milli % 10 === 0 ? 2 : 3)} RON/l`;
}

function hoursText(ms: number): string {
  return `${(ms / HOUR_MS).toFixed(1)} h`;
}
