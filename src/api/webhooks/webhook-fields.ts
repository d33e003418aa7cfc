/** The fields of the bodies that make and change webhooks. A field that is not sent is `undefined`. */

import { MAX_CURSOR_LENGTH } from '../../domain/changes/cursor.ts';
import type { ChangeKind } from '../../domain/changes/served-change.ts';
import { FUELS, type Fuel } from '../../domain/fuel.ts';
import { FUEL_CODE, FUEL_CODES } from '../../domain/fuel-codes.ts';
import { EXAMPLE_STATION } from '../../domain/stations/station-slug.ts';
import { MAX_FILTER_STATIONS, MAX_URL_LENGTH, type WebhookFilter } from '../../domain/webhooks/webhook.ts';
import { Type } from '../../json/json-schema.ts';
import { parseStart, type StartingPoint } from '../changes/change-parameters.ts';
import { CHANGE_CODES } from '../contract/change-schemas.ts';
import { described } from '../contract/localized-schema.ts';
import { EXPECTED_VALUES } from '../contract/messages.ts';
import { FILTER_FIELD_TEXTS, FILTER_TEXT, KINDS_TEXT, URL_TEXT } from '../contract/webhook-schemas.ts';
import type { BodyField } from '../declaration/body-fields.ts';
import { KIND_OF_CODE } from './webhook-words.ts';

const STATION_ID = /^[0-9a-f]{12}$/;
const MAX_NAME_LENGTH = 100;

const FILTER_FIELDS = ['tip', 'judet', 'oras', 'brand', 'statii'];
/** Leaves nothing out. */
export const NO_FILTER: WebhookFilter = { fuel: null, county: null, city: null, network: null, stations: null };

/** An address as it was sent. */
export function urlField(required: boolean): BodyField<string | undefined> {
  return {
    required,
    schema: Type.String({
      format: 'uri',
      pattern: '^https://',
      maxLength: MAX_URL_LENGTH,
      ...described(URL_TEXT),
      examples: ['https://exemplu.ro/pompa'],
    }),
    parse(sent) {
      if (sent === undefined && !required) return { value: undefined };
      return typeof sent === 'string' ? { value: sent } : { expected: EXPECTED_VALUES.text };
    },
  };
}

const name = (of: 'judet' | 'oras' | 'brand') =>
  Type.Unsafe({ type: ['string', 'null'], maxLength: MAX_NAME_LENGTH, ...described(FILTER_FIELD_TEXTS[of]) });

/** Names are looked up afterwards. A misspelt field is refused: a webhook without its filter would send everything. */
export const filterField: BodyField<WebhookFilter | undefined> = {
  schema: Type.Unsafe({
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      tip: Type.Unsafe({ type: ['string', 'null'], enum: [...FUEL_CODES, null], ...described(FILTER_FIELD_TEXTS.tip) }),
      judet: name('judet'),
      oras: name('oras'),
      brand: name('brand'),
      statii: Type.Unsafe({
        type: ['array', 'null'],
        maxItems: MAX_FILTER_STATIONS,
        items: { type: 'string', pattern: STATION_ID.source, examples: [EXAMPLE_STATION.id] },
        ...described(FILTER_FIELD_TEXTS.statii),
      }),
    },
    ...described(FILTER_TEXT),
    examples: [{ tip: 'motorina_standard', judet: 'CJ' }],
  }),
  parse(sent) {
    if (sent === undefined) return { value: undefined };
    if (sent === null) return { value: NO_FILTER };
    const expected = EXPECTED_VALUES.objectOf(FILTER_FIELDS);
    if (typeof sent !== 'object' || Array.isArray(sent)) return { expected };
    const unknown = Object.keys(sent).find((each) => !FILTER_FIELDS.includes(each));
    if (unknown !== undefined) return { expected: `${expected}; ${EXPECTED_VALUES.without(unknown)}` };
    return parseFilterFields(sent as Readonly<Record<string, unknown>>);
  },
};

const FUEL_OF_CODE: ReadonlyMap<unknown, Fuel> = new Map(FUELS.map((fuel) => [FUEL_CODE[fuel], fuel]));

function parseFilterFields({ tip, judet, oras, brand, statii }: Readonly<Record<string, unknown>>) {
  const [county, city, network] = [judet, oras, brand].map(nameOrNull);
  if (county === undefined) return { expected: `„judet”: ${NAME}` };
  if (city === undefined) return { expected: `„oras”: ${NAME}` };
  if (network === undefined) return { expected: `„brand”: ${NAME}` };
  const fuel = isBlank(tip) ? null : FUEL_OF_CODE.get(tip);
  if (fuel === undefined) return { expected: `„tip”: ${EXPECTED_VALUES.oneOf(FUEL_CODES)}` };
  const stations = stationsOrNull(statii);
  if (stations === undefined) return { expected: `„statii”: ${EXPECTED_VALUES.stationIds(MAX_FILTER_STATIONS)}` };
  return { value: { fuel, county, city, network, stations } };
}

const NAME = `${EXPECTED_VALUES.textUpTo(MAX_NAME_LENGTH)} sau null`;

const isBlank = (sent: unknown) => sent === undefined || sent === null || sent === '';

function nameOrNull(sent: unknown): string | null | undefined {
  if (isBlank(sent)) return null;
  if (typeof sent !== 'string' || sent.length > MAX_NAME_LENGTH) return undefined;
  return sent.trim() === '' ? null : sent.trim();
}

function stationsOrNull(sent: unknown): readonly string[] | null | undefined {
  if (isBlank(sent)) return null;
  if (!Array.isArray(sent) || sent.length > MAX_FILTER_STATIONS) return undefined;
  if (!sent.every((each) => typeof each === 'string' && STATION_ID.test(each))) return undefined;
  return sent.length === 0 ? null : [...new Set(sent as string[])];
}

/** In the order of the contract, whatever the order was in which they were sent. */
export const kindsField: BodyField<readonly ChangeKind[] | undefined> = {
  schema: Type.Array(Type.Unsafe({ type: 'string', enum: [...CHANGE_CODES] }), {
    minItems: 1,
    maxItems: CHANGE_CODES.length,
    ...described(KINDS_TEXT),
    examples: [['pret', 'retras', 'revenit']],
  }),
  parse(sent) {
    if (sent === undefined) return { value: undefined };
    const isList = Array.isArray(sent) && sent.length > 0 && sent.length <= CHANGE_CODES.length;
    if (!isList || !sent.every((each) => KIND_OF_CODE.has(each)))
      return { expected: EXPECTED_VALUES.listOf(CHANGE_CODES) };
    return { value: [...KIND_OF_CODE].filter(([code]) => sent.includes(code)).map(([, kind]) => kind) };
  },
};

export const pausedField: BodyField<boolean | undefined> = {
  schema: Type.Boolean({
    ...described({
      ro: '`true` oprește trimiterea, `false` o reia de unde a rămas.',
      en: '`true` stops sending, `false` resumes it where it stopped.',
    }),
    examples: [true],
  }),
  parse: (sent) =>
    sent === undefined || typeof sent === 'boolean' ? { value: sent } : { expected: EXPECTED_VALUES.boolean },
};

/** Where to begin again. */
export const cursorField: BodyField<Exclude<StartingPoint, null>> = {
  required: true,
  schema: Type.String({
    minLength: 1,
    maxLength: MAX_CURSOR_LENGTH,
    ...described({
      ro: 'Cursorul după care se trimite din nou; `acum` = numai modificările viitoare.',
      en: 'The cursor after which to send again; `acum` = only future changes.',
    }),
    examples: ['acum'],
  }),
  parse(sent) {
    const start = typeof sent === 'string' ? parseStart(sent) : undefined;
    return start === undefined || start === null ? { expected: EXPECTED_VALUES.cursor } : { value: start };
  },
};
