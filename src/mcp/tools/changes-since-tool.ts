/**
 * `changes_since`: what changed in the prices served, lately or after a cursor. Counts as a request of `/modificari`.
 */
import type { Static } from 'typebox';
import { changeTest } from '../../api/changes/change-filter.ts';
import { parseStart } from '../../api/changes/change-parameters.ts';
import type { ChangeJson } from '../../api/contract/change-schemas.ts';
import { CHANGES_ACCESS, CHANGES_PATH } from '../../api/endpoints/changes.ts';
import { MAX_CURSOR_LENGTH } from '../../domain/changes/cursor.ts';
import { FEED_DAYS } from '../../domain/changes/feed-reach.ts';
import { fuelOfCode } from '../../domain/fuel-codes.ts';
import { Type } from '../../json/json-schema.ts';
import { anyFuel, county, placeName, stationId, strict } from '../call/input-schemas.ts';
import { dataText, priceText, stationLine } from '../call/station-text.ts';
import { MAX_ROWS, tool } from '../call/tool.ts';
import type { Outcome, ToolCall } from '../call/tool-call.ts';

const input = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: MAX_CURSOR_LENGTH },
        description: 'The cursor of an earlier answer: changes after it, oldest first. Left out: the newest changes.',
      }),
    ),
    city: Type.Optional(placeName('Only one city or village, with its county if the name is common.')),
    county: Type.Optional(county),
    station_id: Type.Optional(stationId),
    fuel: Type.Optional(anyFuel),
  },
  strict,
);

/** What `fel` means. */
const KIND_WORDS: Readonly<Record<ChangeJson['fel'], string>> = {
  pret: 'another price',
  retras: 'no price any more',
  revenit: 'a price again, or for the first time',
  steag: 'the same price, another verdict',
  statie_noua: 'new station',
  statie_disparuta: 'station gone',
};

/** What `motiv` means. */
const REASON_WORDS: Readonly<Record<NonNullable<ChangeJson['motiv']>, string>> = {
  blocat: 'doubtful: it has not moved for long',
  observatie_veche: 'doubtful: its observation is old',
  orfan_anpc: 'the register no longer has it',
  nu_se_vinde: 'not sold',
  expirat: 'expired: not confirmed lately',
  incoerent: 'withdrawn: it contradicts other prices of the station',
  fara_pret_publicat: 'the source publishes none',
  pret_invalid: 'the source gives an unusable one',
};

export const changesSince = tool({
  name: 'changes_since',
  title: 'What changed in the prices',
  description: `The latest changes of served prices, of the last ${FEED_DAYS} days, in Romania, a county, a city or at a station: another price, one that went, came back or became doubtful. Without "cursor" the newest, newest first; with the "cursor" of an earlier answer what followed it, oldest first. Needs an API key.`,
  input,
  async answer(args, call) {
    const filter = filterOf(args, call);
    if ('refusal' in filter) return filter;
    const { cursor } = args;
    if (cursor === undefined) {
      const found = await newest(filter, call);
      if ('refusal' in found) return found;
      const { changes, last } = found.json;
      const lead =
        changes.length === 0
          ? `Nothing changed lately ${filter.name}.`
          : `The latest changes ${filter.name}, newest first:`;
      return { lead, rows: changes.map((change) => changeRow(change, call)), cursor: last };
    }
    if (typeof (parseStart(cursor) ?? 'now') === 'string')
      return {
        refusal:
          '"cursor" must be the cursor of an earlier answer of changes_since, as it is; leave it out for the newest changes.',
      };
    const found = await call.request<Page>('getChanges', {
      query: { ...filter.query, dupa: cursor, limita: MAX_ROWS },
    });
    if ('refusal' in found) return found;
    const { modificari, urmatorul, la_zi } = found.json;
    return {
      lead:
        modificari.length === 0 ? `Nothing followed ${filter.name}.` : `What followed ${filter.name}, oldest first:`,
      rows: modificari.map((change) => changeRow(change, call)),
      notes: la_zi ? [] : ['More changes follow: ask again with the new cursor.'],
      cursor: urmatorul,
    };
  },
});

type Page = { readonly modificari: readonly ChangeJson[]; readonly urmatorul: string; readonly la_zi: boolean };

type Filter = {
  /** Of the endpoint. */
  readonly query: Readonly<Record<'tip' | 'judet' | 'oras' | 'statie', string | undefined>>;
  /** Where, in words. */
  readonly name: string;
};

function filterOf(
  { city, county: text, station_id: statie, fuel: tip }: Static<typeof input>,
  call: ToolCall,
): Filter | { readonly refusal: string } {
  const known = text === undefined ? undefined : call.findCounty(text);
  if (known !== undefined && 'refusal' in known) return known;
  if (statie?.includes(',')) return { refusal: 'Give one "station_id": that of a row of cheapest_near.' };
  const judet = known?.county;
  const of = tip === undefined ? '' : `of ${tip} `;
  const at = statie === undefined ? '' : ` at station ${JSON.stringify(statie)}`;
  const query = { tip, judet: judet?.code, oras: undefined, statie };
  if (city === undefined) return { query, name: `${of}in ${judet?.name ?? 'Romania'}${at}` };
  const found = call.findPlace(judet === undefined ? city : `${city}, ${judet.code}`);
  if ('refusal' in found) return found;
  const { place } = found;
  return {
    query: { ...query, judet: place.county, oras: place.slug },
    name: `${of}in ${call.data.gazetteer.labelOf(place)}${at}`,
  };
}

/** The newest changes and the cursor after them: the endpoint begins with the oldest. */
async function newest(
  { query: { tip, judet, oras, statie } }: Filter,
  call: ToolCall,
): Promise<Outcome<{ readonly changes: readonly ChangeJson[]; readonly last: string }>> {
  const { changes } = call.data;
  const fuel = tip === undefined ? undefined : fuelOfCode(tip);
  const test = changeTest({
    ...(fuel !== undefined && { fuel }),
    ...(judet !== undefined && { county: judet }),
    ...(oras !== undefined && { cities: new Set([oras]) }),
    ...(statie !== undefined && { stations: new Set([statie]) }),
  });
  const find = () => {
    const last = changes.lastCursor();
    if (last === null) return null;
    const found = changes.newest(test, MAX_ROWS);
    return { last, changes: found.map(({ text }) => JSON.parse(Buffer.from(text, 'latin1').toString()) as ChangeJson) };
  };
  const missing = 'The feed of changes is not available right now. Try again in a minute.';
  return call.metered({ access: CHANGES_ACCESS, path: CHANGES_PATH }, find, missing);
}

function changeRow(change: ChangeJson, call: ToolCall) {
  const { statie_id, tip, fel, pret_nou, pret_vechi, motiv, sursa, observat_la, vazut_la } = change;
  const station = call.rendered.recordsOf(statie_id)[0]?.station;
  const [brand, address, city] = [station?.network.name, station?.address, station?.city].map((text) =>
    dataText(text ?? ''),
  );
  const place = { brand: brand ?? '', address: address ?? '', city: city ?? '' };
  const reason = motiv === null ? null : REASON_WORDS[motiv];
  const data = {
    ...{ since: vazut_la, kind: KIND_WORDS[fel], station_id: statie_id, ...place, fuel: tip },
    ...{ price: pret_nou, price_before: pret_vechi, reason, source: sursa, observed_at: observat_la },
  };
  const what = tip === null ? KIND_WORDS[fel] : `${tip} ${priceText(pret_nou)}, before ${priceText(pret_vechi)}`;
  const where = stationLine(place) || 'a station that is gone';
  const why = reason === null ? '' : ` (${reason})`;
  return { data, text: `${vazut_la}: ${what}${why} – ${where} (station_id ${statie_id})` };
}
