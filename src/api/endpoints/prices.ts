/** Prices by city, county, network and country. */

import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { WEEKLY_CAPPED_ACCESS } from '../access/access-rules.ts';
import type { MissingAs } from '../contract/contract.ts';
import { MESSAGES } from '../contract/messages.ts';
import { CountySchema, NationalSchema, NetworksSchema, PricesSchema, ProblemSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import { ON_WORDS } from '../declaration/filter-parameters.ts';
import { CITY_PRICES, NATIONAL_PRICES } from '../declaration/open-prices.ts';
import { type Parameter, segment, text } from '../declaration/parameters.ts';
import { ok } from '../response/answer.ts';
import { problem } from '../response/problem.ts';

/** Rule 19: any other value is not an error. */
const zeros: Parameter<MissingAs> = {
  ...text({
    description: {
      ro: 'Cu exact `1`, `true`, `yes` sau `da`, prețurile lipsă apar ca 0, ca în trecut, în loc de null; la orice altă valoare rămâne null.',
      en: 'With exactly `1`, `true`, `yes` or `da`, missing prices are the legacy sentinel 0 instead of null; any other value keeps null.',
    },
    example: 'da',
  }),
  parse: (sent) => ({ value: ON_WORDS.includes(sent ?? '') ? 'zero' : 'null' }),
};

const refuseUnknownCounty = () => refuse(problem(404, MESSAGES.countyUnknown));

const UNKNOWN_COUNTY = {
  description: { ro: 'Județ necunoscut.', en: 'Unknown county.' },
  schema: ProblemSchema,
};

/** The price endpoints of the contract. `places` resolves county names. */
export function priceEndpoints(places: Pick<Gazetteer, 'countyByName'>): Endpoint[] {
  return [cities(places), national, county(places), networks];
}

const cities = (places: Pick<Gazetteer, 'countyByName'>) =>
  endpoint({
    operationId: CITY_PRICES.operationId,
    path: CITY_PRICES.path,
    tag: API_TAGS.prices,
    summary: { ro: 'Prețul minim pe orașe și media rețelelor', en: 'City minimum prices and network averages' },
    description: {
      ro:
        `Prețul minim curent de încredere din fiecare oraș, cele mai populate orașe primele, și media națională a fiecărei rețele. Fără cheie, cele mai mari ${ANONYMOUS_LIMITS.cities} de ` +
        'orașe (din județ, când este cerut unul), fără limită de cereri. Orașele fără niciun preț de încredere lipsesc.',
      en:
        `Current minimum trusted price of each city, largest population first, and the national average of each network. Without a key the ${ANONYMOUS_LIMITS.cities} ` +
        'largest cities (of the county, if one is requested); never capped. Cities without a trusted price are left out.',
    },
    withoutKey: {
      ro: `primele ${ANONYMOUS_LIMITS.cities} de orașe după populație, cu explicația în câmpul \`nota\`; fără limită de cereri.`,
      en: `the ${ANONYMOUS_LIMITS.cities} largest cities by population, explained in the field \`nota\`; no cap on requests.`,
    },
    access: CITY_PRICES.access,
    prerendered: true,
    parameters: {
      judet: text({
        description: {
          ro: 'Numai orașele unui județ: numele întreg, cu sau fără diacritice, indiferent de majuscule, sau codul auto. Gol = toate.',
          en: 'Only the cities of one county: full name, with or without diacritics, any letter case, or plate code. Empty = all.',
        },
        example: 'Cluj',
      }),
      zeros,
    },
    example: ['judet'],
    answers: {
      200: { description: { ro: 'Prețurile.', en: 'The prices.' }, schema: PricesSchema },
      404: UNKNOWN_COUNTY,
    },
    handle({ judet, zeros: missing, rendered, fullSet }) {
      const answerOf = (county: string | null) => () =>
        CITY_PRICES.answer(rendered, { county, missing, full: fullSet });
      if (judet.trim() === '') return answerOf(null);
      const known = places.countyByName(judet);
      return known ? answerOf(known.code) : refuseUnknownCounty();
    },
  });

const national = endpoint({
  operationId: NATIONAL_PRICES.operationId,
  path: NATIONAL_PRICES.path,
  tag: API_TAGS.prices,
  summary: {
    ro: 'Minimul, media și maximul național pe carburant',
    en: 'National minimum, average and maximum per fuel',
  },
  description: {
    ro: 'Calculate din toate prețurile de încredere ale stațiilor. Fără cheie, fără limită.',
    en: 'Over all trusted station prices. No key, no cap.',
  },
  access: NATIONAL_PRICES.access,
  prerendered: true,
  parameters: { zeros },
  answers: { 200: { description: { ro: 'Prețurile naționale.', en: 'The national prices.' }, schema: NationalSchema } },
  handle: ({ zeros: missing, rendered }) => NATIONAL_PRICES.answer(rendered, missing),
});

const county = (places: Pick<Gazetteer, 'countyByName'>) =>
  endpoint({
    operationId: 'getCountyPrices',
    path: '/api/v1/judete/{judet}',
    tag: API_TAGS.prices,
    summary: { ro: 'Prețurile medii ale unui județ', en: 'Average prices of one county' },
    description: {
      ro: 'Media prețurilor minime ale orașelor din județ, cu 2 zecimale.',
      en: 'Average of the minimum prices of the cities of a county, 2 decimals.',
    },
    access: WEEKLY_CAPPED_ACCESS,
    parameters: {
      judet: segment({
        description: {
          ro: 'Numele județului, cu sau fără diacritice, indiferent de majuscule, sau codul auto.',
          en: 'County name, with or without diacritics, any letter case, or plate code.',
        },
        example: 'Cluj',
      }),
      zeros,
    },
    answers: {
      200: { description: { ro: 'Mediile județului.', en: 'The averages of the county.' }, schema: CountySchema },
      404: UNKNOWN_COUNTY,
    },
    handle({ judet, zeros: missing, rendered }) {
      const known = places.countyByName(judet);
      return known ? () => ok(rendered.county(known.code, missing)) : refuseUnknownCounty();
    },
  });

const networks = endpoint({
  operationId: 'getNetworks',
  path: '/api/v1/retele',
  tag: API_TAGS.prices,
  summary: { ro: 'Media națională a fiecărei rețele', en: 'National average per network' },
  description: {
    ro: 'Media prețurilor de încredere ale stațiilor fiecărei rețele, cu 2 zecimale; null pentru un carburant pe care nu îl vinde.',
    en: 'Average of the trusted station prices of each network, 2 decimals; null for a fuel that it does not sell.',
  },
  access: WEEKLY_CAPPED_ACCESS,
  prerendered: true,
  parameters: { zeros },
  answers: {
    200: { description: { ro: 'Rețelele, după nume.', en: 'The networks, by name.' }, schema: NetworksSchema },
  },
  handle:
    ({ zeros: missing, rendered }) =>
    () =>
      ok(rendered.networks(missing)),
});
