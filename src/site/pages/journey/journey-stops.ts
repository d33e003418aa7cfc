/** The answer of a journey in large figures, and its lists of stops. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import type { Locality } from '../../../domain/places/locality.ts';
import type { PriceVerdict } from '../../../domain/prices/price-verdict.ts';
import { isOnTheWay, type RankedStop, type StopAdvice } from '../../../domain/roads/stop-saving.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { formatKm, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { cityName } from '../../lookup/place-slugs.ts';
import { ageAndSource } from '../../parts/price-notes.ts';
import { keyFigures, priceWithUnit } from '../../parts/price-parts.ts';
import { stationLink } from '../../parts/ranking.ts';
import { addressWithCity } from '../../parts/station-address.ts';
import { leiText, litresText, minutesText } from './journey-amounts.ts';
import type { JourneyChoices } from './journey-choices.ts';
import type { JourneyStop } from './journey-data.ts';
import { TEXTS } from './journey-texts.ts';

/** Whether a detour is worth it, the best stop, what it saves and what its detour costs. */
export function adviceFigures(
  advice: StopAdvice<JourneyStop>,
  choices: JourneyChoices,
  { gazetteer }: Pick<SiteData, 'gazetteer'>,
  language: Language,
): Html {
  const { stop, cost, saving } = advice.best;
  const litres = litresText(choices.litres, language);
  return html`<p class="answer">${answer(advice, language)}</p>
${keyFigures([
  {
    name: TEXTS.bestStop[language],
    value: priceWithUnit(stop.price, language),
    note: html`${stationLink(stop, language)}, ${addressWithCity(stop.station, gazetteer)}`,
  },
  {
    name: saving < 0 ? TEXTS.lossOn[language](litres) : TEXTS.savingOn[language](litres),
    value: leiText(Math.abs(saving), language),
    note: TEXTS.againstMean[language](formatRon(advice.mean, language), subtracted(advice.best, choices, language)),
  },
  {
    name: isOnTheWay(stop.detour) ? TEXTS.onTheWayFigure[language] : TEXTS.detour[language],
    value: stop.detour.minutes < 0.5 ? TEXTS.detourNone[language] : minutesText(stop.detour.minutes),
    note: hasExtraKm(stop)
      ? TEXTS.detourCost[language](formatKm(stop.detour.km, language), leiText(cost.detourFuel, language))
      : null,
  },
])}`;
}

function answer({ verdict, gain }: StopAdvice<JourneyStop>, language: Language): string {
  if (verdict === 'worth it') return TEXTS.worthIt[language](leiText(gain, language));
  return verdict === 'not worth it' ? TEXTS.notWorthIt[language] : TEXTS.onlyDetours[language];
}

/** Whether the extra distance shows in figures: leaving a motorway may cost time alone. */
const hasExtraKm = ({ detour }: JourneyStop): boolean => detour.km >= 0.05;

/** What the saving is after. */
function subtracted({ stop }: RankedStop<JourneyStop>, { hourLei }: JourneyChoices, language: Language): string {
  if (!hasExtraKm(stop)) return '';
  return `${TEXTS.afterFuel[language]}${hourLei === null ? '' : TEXTS.afterTime[language]}`;
}

type StopsInput = {
  readonly language: Language;
  readonly fuel: RoadFuel;
  readonly data: Pick<SiteData, 'snapshot' | 'gazetteer'>;
  readonly from: Locality;
};

/** The stops with their detours and savings, in the order given. */
export function stopsList(stops: readonly RankedStop<JourneyStop>[], input: StopsInput): Html {
  return html`<ol class="ranking">
${stops.map((each) => stopItem(each, input))}</ol>`;
}

function stopItem({ stop, saving }: RankedStop<JourneyStop>, input: StopsInput): Html {
  const { language, fuel, data } = input;
  const verdict = stop.verdicts.get(fuel) as Extract<PriceVerdict, { kind: 'trusted' }>;
  const origin = ageAndSource(verdict.fact, data.snapshot.now, language);
  return html`<li><span class="who">${stationLink(stop, language)}<span>${stop.station.address}</span><span>${whereOf(stop, input)}</span><span class="origin">${origin}</span></span><span class="price"><strong>${formatRon(stop.price, language)}</strong><span>${savingText(saving, language)}</span></span></li>
`;
}

/** `Brezoi · 211 km din București · ocol 4 min, 2,6 km`. */
function whereOf(stop: JourneyStop, { language, from, data }: StopsInput): string {
  const { station, kmFromStart, detour } = stop;
  const city = cityName(station.citySlug, station.city, data.gazetteer);
  return [
    ...(city === '' ? [] : [city]),
    ...(kmFromStart === null ? [] : [TEXTS.atKm[language](`${Math.round(kmFromStart)} km`, from.name)]),
    isOnTheWay(detour)
      ? TEXTS.onTheWay[language]
      : TEXTS.detourOf[language](
          minutesText(detour.minutes),
          hasExtraKm(stop) ? formatKm(detour.km, language) : TEXTS.noExtraKm[language],
        ),
  ].join(' · ');
}

function savingText(saving: number, language: Language): string {
  if (Math.abs(saving) < 0.05) return TEXTS.sameAsMean[language];
  const lei = leiText(Math.abs(saving), language);
  return saving > 0 ? TEXTS.saves[language](lei) : TEXTS.costs[language](lei);
}
