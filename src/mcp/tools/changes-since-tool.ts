/** `changes_since`: what changed in the served prices, a few at a time. Counts as a request of `/modificari`. */
import { type Static, Type } from 'typebox';
import { FEED_DAYS } from '../../api/changes/change-log.ts';
import type { ChangeJson } from '../../api/contract/change-schemas.ts';
import { MAX_CURSOR_LENGTH, parseCursor } from '../../domain/changes/cursor.ts';
import { counted, HOURS } from '../../site/html/counted.ts';
import { anyFuel, county, placeName, stationId, strict } from '../call/input-schemas.ts';
import { dataText, priceText, stationLine } from '../call/station-text.ts';
import { MAX_ROWS, tool } from '../call/tool.ts';
import type { ToolCall } from '../call/tool-call.ts';

const DEFAULT_HOURS = 24;
const HOUR_MS = 3_600_000;

const input = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: MAX_CURSOR_LENGTH },
        description: 'The "cursor" of an earlier answer: the changes after it. Without it, give "hours".',
      }),
    ),
    hours: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: FEED_DAYS * 24 },
        description: `In place of "cursor": how far back to begin, hours; ${DEFAULT_HOURS} if left out.`,
      }),
    ),
    fuel: Type.Optional(anyFuel),
    city: Type.Optional(placeName('Only stations of this town or village, with its county if the name is common.')),
    county: Type.Optional(county),
    station_id: Type.Optional(stationId),
  },
  strict,
);

export const changesSince = tool({
  name: 'changes_since',
  title: 'What changed in the prices',
  description: `The changes of prices at stations in Romania since a moment, oldest first, ${MAX_ROWS} at a time, with the price before and after; doubtful prices are marked. Each answer has a "cursor": call again with it for the changes that follow. Needs an API key.`,
  input,
  async answer(args, call) {
    const start = startOf(args, call);
    if ('refusal' in start) return start;
    const place = placeOf(args, call);
    if ('refusal' in place) return place;
    const { fuel, station_id } = args;
    const found = await call.request<{
      modificari: readonly ChangeJson[];
      urmatorul: string;
      la_zi: boolean;
    }>('getChanges', {
      query: { dupa: start.cursor, limita: MAX_ROWS, tip: fuel, statie: station_id, ...place },
    });
    if ('refusal' in found) return found;
    const { modificari, urmatorul: cursor, la_zi: isUpToDate } = found.json;
    const rows = modificari.map((change) => changeRow(change, call));
    const next = isUpToDate
      ? `These are all changes so far. Later ones: call again with cursor ${JSON.stringify(cursor)}.`
      : `More may follow: call again with cursor ${JSON.stringify(cursor)} and the same other arguments.`;
    const lead = rows.length === 0 ? `No such change ${start.since}.` : `Changes ${start.since}, oldest first:`;
    return { lead, rows, notes: [next], cursor };
  },
});

type Start = { readonly cursor: string | undefined; readonly since: string };

function startOf({ cursor, hours }: Static<typeof input>, call: ToolCall): Start | { readonly refusal: string } {
  if (cursor !== undefined && hours !== undefined) return { refusal: 'Give either "cursor" or "hours", not both.' };
  if (cursor === undefined) {
    const span = hours ?? DEFAULT_HOURS;
    const { clock, changeCursorAt } = call.data;
    // Of a feed that is not there, the endpoint says so.
    const first = changeCursorAt(clock() - span * HOUR_MS) ?? undefined;
    return { cursor: first, since: `of the last ${counted(span, HOURS, 'en')}` };
  }
  if (parseCursor(cursor) === null)
    return { refusal: '"cursor" is none: give the cursor of an earlier answer as it stands there, or "hours".' };
  return { cursor, since: 'after the cursor' };
}

function placeOf({ city, county: text }: Static<typeof input>, call: ToolCall) {
  const known = text === undefined ? undefined : call.findCounty(text);
  if (known !== undefined && 'refusal' in known) return known;
  const code = known?.county.code;
  if (city === undefined) return { judet: code };
  const found = call.findPlace(code === undefined ? city : `${city}, ${code}`);
  if ('refusal' in found) return found;
  return { judet: found.place.county, oras: found.place.slug };
}

const KIND_WORDS: Readonly<Record<ChangeJson['fel'], string>> = {
  pret: 'price changed',
  retras: 'price withdrawn',
  revenit: 'price shown (again)',
  steag: 'price judged otherwise',
  statie_noua: 'station added',
  statie_disparuta: 'station removed',
};

const REASON_WORDS: Readonly<Record<NonNullable<ChangeJson['motiv']>, string>> = {
  blocat: 'doubtful: unmoved for long',
  observatie_veche: 'doubtful: not observed for days',
  orfan_anpc: 'no longer in the register',
  nu_se_vinde: 'not sold there',
  expirat: 'expired: not confirmed by any source',
  incoerent: 'cannot be right: premium below standard',
  fara_pret_publicat: 'the source publishes none',
  pret_invalid: 'the source gives an impossible one',
};

function changeRow(change: ChangeJson, call: ToolCall) {
  const { statie_id: id, fel, tip: fuel, pret_vechi: before, pret_nou: price, motiv, vazut_la: at } = change;
  // A station that went is known by its id alone.
  const station = call.rendered.station(id);
  const [brand, address, city] = [station?.network.name, station?.address, station?.city].map((text = '') =>
    dataText(text),
  ) as [string, string, string];
  const [kind, reason] = [KIND_WORDS[fel], motiv === null ? null : REASON_WORDS[motiv]];
  const data = {
    ...{ at, station_id: id, brand, address, city, change: kind, fuel, price_before: before, price, reason },
    observed_at: change.observat_la,
  };
  const where = [stationLine({ brand, address, city }), `station_id ${id}`].filter((part) => part !== '').join(', ');
  const what = fuel === null ? kind : `${fuel} ${priceText(before)} → ${priceText(price)} (${reason ?? kind})`;
  return { data, text: `${at}: ${what} – ${where}` };
}
