/** A change of a served price as a sentence. */
import type { PriceReason, ServedPrice } from '../../domain/changes/served-price.ts';
import { FUEL_NAME } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { MAX_PRICE_AGE_MS, STALE_DAYS } from '../../domain/prices/price-verdict.ts';
import type { LatestChange } from '../frame/latest-changes.ts';
import { counted, DAYS, HOURS } from '../html/counted.ts';
import { formatRon } from '../html/formats.ts';
import { type Text, text } from '../html/text.ts';

/** `Motorină standard: 7,49 lei/l (era 7,55)`. */
export function changeSentence({ fuel, kind, before, after }: LatestChange, language: Language): string {
  const words = WORDS[language];
  if (fuel === null) return kind === 'station added' ? words.added : words.removed;
  const what = after.price === null ? withoutPrice(before, after, language) : withPrice(before, after, language);
  return `${FUEL_NAME[fuel][language]}: ${what}`;
}

function withPrice(before: ServedPrice, after: ServedPrice, language: Language): string {
  const words = WORDS[language];
  const price = words.perLitre(ron(after, language));
  const doubt = after.reason === null ? '' : words.doubtful(REASONS[after.reason][language]);
  if (before.price === after.price) return `${price}, ${doubt === '' ? words.trusted : doubt}`;
  const earlier =
    before.price === null
      ? NO_PRICE[before.reason === 'unsold' ? 'new' : 'again'][language]
      : words.was(ron(before, language));
  return `${price} (${earlier})${doubt === '' ? '' : `, ${doubt}`}`;
}

function withoutPrice(before: ServedPrice, after: ServedPrice, language: Language): string {
  const words = WORDS[language];
  const earlier = before.price === null ? '' : ` (${words.was(words.perLitre(ron(before, language)))})`;
  if (after.reason === 'unsold') return `${REASONS.unsold[language]}${earlier}`;
  const why = after.reason === null ? '' : `: ${REASONS[after.reason][language]}`;
  return `${before.price === null ? words.none : words.noMore}${earlier}${why}`;
}

const ron = ({ price }: ServedPrice, language: Language) => formatRon(price ?? 0, language);

const NO_PRICE = {
  new: text('carburant nou aici', 'a new fuel here'),
  again: text('nu avea preț', 'had no price'),
};

type Words = {
  readonly [name in 'added' | 'removed' | 'trusted' | 'none' | 'noMore']: string;
} & { readonly [name in 'perLitre' | 'was' | 'doubtful']: (what: string) => string };

const WORDS: Text<Words> = text(
  {
    added: 'Benzinărie nouă',
    removed: 'Benzinăria nu mai apare la nicio sursă',
    trusted: 'din nou preț sigur',
    none: 'fără preț',
    noMore: 'nu mai are preț',
    perLitre: (price) => `${price} lei/l`,
    was: (price) => `era ${price}`,
    doubtful: (why) => `preț nesigur: ${why}`,
  },
  {
    added: 'New station',
    removed: 'No source has the station any more',
    trusted: 'a reliable price again',
    none: 'no price',
    noMore: 'no price any more',
    perLitre: (price) => `${price} RON/l`,
    was: (price) => `was ${price}`,
    doubtful: (why) => `doubtful: ${why}`,
  },
);

const span = (language: Language) => ({
  hours: counted(MAX_PRICE_AGE_MS / 3_600_000, HOURS, language),
  days: counted(STALE_DAYS, DAYS, language),
});
const [ro, en] = [span('ro'), span('en')];

const REASONS: Readonly<Record<PriceReason, Text<string>>> = {
  stuck: text(
    'nu s-a mai mișcat de mult, deși rețeaua și-a schimbat prețurile',
    'it has not moved for long, while its network changed its prices',
  ),
  stale: text(
    `sursa nu l-a mai observat de cel puțin ${ro.days}`,
    `its source has not observed it for at least ${en.days}`,
  ),
  orphaned: text('registrul nu mai listează carburantul aici', 'the register no longer lists the fuel here'),
  expired: text(`nicio sursă nu l-a mai confirmat de ${ro.hours}`, `no source has confirmed it for ${en.hours}`),
  incoherent: text(
    'sursa dă pentru premium un preț sub cel standard',
    'its source gives premium fuel a price below the standard one',
  ),
  unpublished: text('sursa nu dă niciun preț', 'its source gives none'),
  invalid: text('sursa dă un preț în afara limitelor plauzibile', 'its source gives one outside the plausible range'),
  unsold: text('nu se mai vinde aici', 'not sold here any more'),
};
