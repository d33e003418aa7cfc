/** The list of stations by the price of one fuel: cheapest first, and below those whose price does not count. */
import type { Fuel, MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { PriceVerdict } from '../../domain/prices/price-verdict.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { sparkline } from '../charts/sparkline.ts';
import { baniText } from '../html/counted.ts';
import { formatCount, formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html-template.ts';
import { dailyPrices } from '../lookup/daily-prices.ts';
import type { RankedStation, StationPrices } from '../lookup/station-prices.ts';
import { ageAndSource, reasonNotRanked } from './price-notes.ts';

export type RankingInput = {
  readonly language: Language;
  readonly fuel: RoadFuel;
  readonly snapshot: Snapshot;
  readonly ranked: readonly RankedStation[];
  readonly unranked?: readonly StationPrices[];
  /** What is shown of a station besides: its distance, its city. */
  readonly noteOf?: (station: StationPrices) => Html | string | null;
};

const TREND_DAYS = 30;
const TREND: LocalizedText = { ro: 'Evoluția prețului în 30 de zile', en: 'The price over 30 days' };
const CHEAPEST: LocalizedText = { ro: 'cel mai mic', en: 'lowest' };
const NOT_COUNTED: LocalizedText = { ro: 'Prețuri care nu se iau în considerare', en: 'Prices that do not count' };

/** The whole list. */
export function ranking({ language, fuel, snapshot, ranked, unranked = [], noteOf }: RankingInput): Html {
  const [cheapest] = ranked;
  const items = ranked.map((each) =>
    rankedItem(each, cheapest?.price ?? each.price, { language, fuel, snapshot, noteOf }),
  );
  return html`<ol class="ranking">
${items}</ol>
${unrankedList(unranked, fuel, language)}`;
}

/** The stations whose price of a fuel does not count, each with the reason; nothing if there is none. */
export function unrankedList(stations: readonly StationPrices[], fuel: RoadFuel, language: Language): Html | null {
  if (stations.length === 0) return null;
  return html`<h3>${NOT_COUNTED[language]}</h3>
<ul class="ranking unranked">
${stations.map((each) => unrankedItem(each, fuel, language))}</ul>`;
}

type ItemInput = Pick<RankingInput, 'language' | 'fuel' | 'snapshot'> & { readonly noteOf: RankingInput['noteOf'] };

function rankedItem(each: RankedStation, cheapest: MilliPrice, input: ItemInput): Html {
  const { language, fuel, snapshot, noteOf } = input;
  const verdict = each.verdicts.get(fuel) as Extract<PriceVerdict, { kind: 'trusted' }>;
  const note = noteOf?.(each) ?? null;
  const difference = each.price === cheapest ? CHEAPEST[language] : `+${baniText(each.price - cheapest, language)}`;
  return html`<li><span class="who">${stationLink(each, language)}<span>${each.station.address}</span><span class="origin">${note}${note === null ? null : ' · '}${ageAndSource(verdict.fact, snapshot.now, language)}</span></span>${priceTrend(each, fuel, snapshot, language)}<span class="price"><strong>${formatRon(each.price, language)}</strong><span>${difference}</span></span></li>
`;
}

function unrankedItem(each: StationPrices, fuel: RoadFuel, language: Language): Html {
  const verdict = each.verdicts.get(fuel) as PriceVerdict;
  const price = verdict.kind === 'doubtful' ? formatRon(verdict.price, language) : '–';
  return html`<li><span class="who">${stationLink(each, language)}<span>${each.station.address}</span><span class="origin">${reasonNotRanked(verdict, language)}</span></span><span class="price"><span>${price}</span></span></li>
`;
}

/** The shape of the last 30 days. */
export function priceTrend({ station }: StationPrices, fuel: Fuel, snapshot: Snapshot, language: Language): Html {
  return sparkline(dailyPrices(station.id, fuel, TREND_DAYS, snapshot), TREND[language]);
}

/** The station's network, as a link to its page. */
export function stationLink({ station, slug }: StationPrices, language: Language): Html {
  return html`<a href="${routePath('station', language, { station: slug })}">${station.network.name}</a>`;
}

const OTHERS = {
  ro: (count: string) => `, și alte ${count} la același preț`,
  en: (count: string) => `, and ${count} more at the same price`,
};

/** How many stations of a ranking have the lowest price besides the first; 0 where there is none. */
export function countOthersAtLowest(ranked: readonly RankedStation[]): number {
  return Math.max(0, ranked.filter(({ price }) => price === ranked[0]?.price).length - 1);
}

/** The same in words; nothing if the first is alone. */
export function othersAtPrice(ranked: readonly RankedStation[], language: Language): string {
  const others = countOthersAtLowest(ranked);
  return others < 1 ? '' : OTHERS[language](formatCount(others, language));
}
