/** The parameters of the feed, and the filter they make. */

import { type Cursor, MAX_CURSOR_LENGTH, parseCursor } from '../../domain/changes/cursor.ts';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import { EXAMPLE_STATION } from '../../domain/stations/station-slug.ts';
import { Type } from '../../json/json-schema.ts';
import { EXPECTED_VALUES } from '../contract/messages.ts';
import { list } from '../declaration/filter-parameters.ts';
import { choice, type Parameter, type ParameterDescription, text } from '../declaration/parameters.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import type { ChangeFilter } from './change-filter.ts';

/** Where a request begins: `null` = not said. */
export type StartingPoint = Cursor | 'now' | null;

const NOW = 'acum';
const MAX_STATIONS = 100;

/** What was sent as a cursor; `undefined` = it is none. */
export function parseStart(sent: string): StartingPoint | undefined {
  if (sent === '') return null;
  return sent === NOW ? 'now' : (parseCursor(sent) ?? undefined);
}

/** A place in the feed. */
export function cursorParameter(about: ParameterDescription): Parameter<StartingPoint> {
  return {
    ...about,
    in: 'query',
    schema: Type.String({ maxLength: MAX_CURSOR_LENGTH }),
    parse(sent = '') {
      const start = parseStart(sent);
      return start === undefined ? { expected: EXPECTED_VALUES.cursor } : { value: start };
    },
  };
}

export const FILTER_PARAMETERS = {
  tip: choice(new Map(FUELS.map((fuel) => [FUEL_CODE[fuel] as string, fuel])), {
    description: {
      ro: 'Numai un carburant; lasă deoparte și stațiile care apar sau dispar. Gol = toate.',
      en: 'Only one fuel; leaves out stations that come and go, too. Empty = all.',
    },
    example: 'motorina_standard',
  }),
  judet: text({
    description: {
      ro: 'Numai stațiile unui județ, ca la `/statii`; contează județul de la momentul modificării. Gol = toate.',
      en: 'Only stations of one county, as for `/statii`; the county at the time of the change counts. Empty = all.',
    },
    example: 'Cluj',
  }),
  oras: text({
    description: {
      ro: 'Numai stațiile unui oraș, ca la `/statii`. Gol = toate.',
      en: 'Only stations of one city, as for `/statii`. Empty = all.',
    },
    example: 'Cluj-Napoca',
  }),
  brand: text({
    description: {
      ro: 'Numai stațiile unei rețele, după nume sau slug. Gol = toate.',
      en: 'Only stations of one network, by name or slug. Empty = all.',
    },
    example: 'Petrom',
  }),
  statie: list(
    { most: MAX_STATIONS },
    {
      description: {
        ro: `Numai aceste stații: cel mult ${MAX_STATIONS} de valori ale câmpului \`id\` din \`/statii\`, despărțite prin virgulă. Gol = niciuna.`,
        en: `Only these stations: at most ${MAX_STATIONS} values of the field \`id\` of \`/statii\`, separated by commas. Empty = none.`,
      },
      example: EXAMPLE_STATION.id,
    },
  ),
};

export type SentFilter = {
  readonly tip: Fuel | undefined;
  readonly brand: string;
  readonly statie: readonly string[] | null;
};

/** The filter of a request. A network that the snapshot does not know may have been served before: its slug counts. */
export function filterOf(
  { tip: fuel, brand, statie }: SentFilter,
  { county, cities }: { readonly county: string | null; readonly cities: readonly string[] | null },
  rendered: RenderedSnapshot,
): ChangeFilter {
  const network = brand.trim();
  return {
    fuel,
    county: county ?? undefined,
    cities: cities === null ? undefined : new Set(cities),
    network: network === '' ? undefined : (rendered.networkSlug(network) ?? network.toLowerCase()),
    stations: statie === null ? undefined : new Set(statie),
  };
}
