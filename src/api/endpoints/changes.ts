/** The feed of changes: pages, with waiting, and streams. */

import { MAX_CURSOR_LENGTH } from '../../domain/changes/cursor.ts';
import { FEED_DAYS } from '../../domain/changes/feed-reach.ts';
import { Type } from '../../json/json-schema.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import { ChangeFeed, MAX_STREAMS, MAX_WAITS } from '../changes/change-feed.ts';
import type { ChangeLog } from '../changes/change-log.ts';
import { cursorParameter, FILTER_PARAMETERS, filterOf, parseStart } from '../changes/change-parameters.ts';
import { ChangesSchema, CursorGoneSchema, EventStreamSchema } from '../contract/change-schemas.ts';
import { UnverifiedSchema } from '../contract/limit-schemas.ts';
import { EXPECTED_VALUES, PARAMETER_MESSAGES } from '../contract/messages.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { ENTITY_TAG } from '../declaration/describe-api.ts';
import { type DocumentedAnswer, type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import { cappedInteger } from '../declaration/parameters.ts';
import { parsePlaceFilter } from '../declaration/place-filter.ts';
import type { PlaceNames } from '../request/named-cities.ts';
import { problem } from '../response/problem.ts';

export const CHANGES_PATH = '/api/v1/modificari';

const MAX_LIMIT = 1_000;
const MAX_WAIT_SECONDS = 25;

/** Who may read the feed, and what it costs. */
export const CHANGES_ACCESS = { key: 'required', quota: true, withoutKey: { weeklyCap: false } } as const;

const REFUSALS: Readonly<Record<number, DocumentedAnswer>> = {
  404: {
    description: { ro: 'Județ sau localitate necunoscută.', en: 'Unknown county or place.' },
    schema: ProblemSchema,
  },
  410: {
    description: {
      ro: `Cursorul este mai vechi de ${FEED_DAYS} de zile, sau istoricul a fost refăcut de atunci: începeți din nou.`,
      en: `The cursor is older than ${FEED_DAYS} days, or the past was rewritten since: begin again.`,
    },
    schema: CursorGoneSchema,
  },
  503: {
    description: {
      ro: 'Fluxul nu este disponibil acum, sau cheia nu poate fi verificată acum.',
      en: 'The feed is not available right now, or the key cannot be verified right now.',
    },
    schema: UnverifiedSchema,
    retryAfter: 'always',
  },
};

const CURSOR_EXAMPLE = 'acum';

/** `/modificari` and `/modificari/flux`. `places` resolves the names of counties and cities. */
export function changeEndpoints(log: ChangeLog, places: PlaceNames): Endpoint[] {
  const feed = new ChangeFeed(log);
  return [pagesEndpoint(feed, places), streamEndpoint(feed, places)];
}

function pagesEndpoint(feed: ChangeFeed, places: PlaceNames): Endpoint {
  return endpoint({
    operationId: 'getChanges',
    path: CHANGES_PATH,
    tag: API_TAGS.changes,
    summary: {
      ro: 'Ce s-a schimbat în ce servim, modificare cu modificare',
      en: 'What changed in what is served, change by change',
    },
    description: {
      ro:
        `Fiecare modificare a înregistrărilor din \`/statii\`, și cele aduse numai de timp (expirare, preț blocat, orfan), în ordine completă, pentru ${FEED_DAYS} de zile. ` +
        'Citiți `/statii` cu cheia, păstrați antetul `Pompa-Cursor`, apoi aplicați modificările de după el: obțineți mereu ce servește `/statii`. ' +
        'Continuați cu `urmatorul`. Cu `If-None-Match`, un răspuns neschimbat este 304 și nu consumă nimic.',
      en:
        `Every change of the records of \`/statii\`, those by time alone (expiry, a stuck price, an orphan) included, in total order, for ${FEED_DAYS} days. ` +
        'Read `/statii` with the key, keep the header `Pompa-Cursor`, then apply the changes after it: you always have what `/statii` serves. ' +
        'Continue with `urmatorul`. With `If-None-Match` an unchanged answer is a 304 and consumes nothing.',
    },
    example: ['dupa', 'tip'],
    access: CHANGES_ACCESS,
    hasNotModified: true,
    longestWaitMs: MAX_WAIT_SECONDS * 1000,
    parameters: {
      dupa: cursorParameter({
        description: {
          ro: 'Modificările de după acest cursor: `urmatorul` sau antetul `Pompa-Cursor`. `acum` = numai cele viitoare; gol = de la cea mai veche păstrată.',
          en: 'The changes after this cursor: `urmatorul`, or the header `Pompa-Cursor`. `acum` = only future ones; empty = from the oldest kept.',
        },
        example: CURSOR_EXAMPLE,
      }),
      limita: cappedInteger({ min: 1, max: MAX_LIMIT }, MAX_LIMIT, {
        description: {
          ro: `Cel mult atâtea modificări, până la ${MAX_LIMIT}.`,
          en: `At most this many changes, up to ${MAX_LIMIT}.`,
        },
        example: 100,
      }),
      asteapta: cappedInteger({ min: 0, max: MAX_WAIT_SECONDS }, 0, {
        description: {
          ro: `Dacă nu urmează nimic, răspunsul așteaptă prima modificare potrivită cel mult atâtea secunde, până la ${MAX_WAIT_SECONDS}. Cel mult ${MAX_WAITS.perKey} astfel de cereri deodată cu o cheie la fiecare proces al serviciului.`,
          en: `If nothing follows, the answer waits for the first matching change at most this many seconds, up to ${MAX_WAIT_SECONDS}. At most ${MAX_WAITS.perKey} such requests of a key at a time with each process of the service.`,
        },
        example: 20,
      }),
      ...FILTER_PARAMETERS,
    },
    requestHeaders: {
      'If-None-Match': {
        description: {
          ro: '`ETag`-ul unui răspuns anterior la aceeași adresă: dacă nu s-a schimbat nimic, răspunsul este 304.',
          en: 'The `ETag` of an earlier answer at the same address: if nothing changed, the answer is 304.',
        },
        schema: Type.String(),
      },
    },
    answers: {
      200: {
        description: { ro: 'Modificările.', en: 'The changes.' },
        schema: ChangesSchema,
        headers: { ETag: ENTITY_TAG },
      },
      ...REFUSALS,
    },
    handle(sent) {
      const { dupa, limita, asteapta, rendered, key, caller } = sent;
      const named = parsePlaceFilter(sent, { served: rendered, places, caller });
      if ('problem' in named) return refuse(named.problem);
      const filter = filterOf(sent, named, rendered);
      const place = feed.placeOf(dupa ?? 'oldest');
      if ('problem' in place) return refuse(place.problem);
      const { id } = key as KnownKey;
      return () => feed.answerPage({ place, filter, limit: limita, waitMs: asteapta * 1000, key: id, caller });
    },
  });
}

function streamEndpoint(feed: ChangeFeed, places: PlaceNames): Endpoint {
  return endpoint({
    operationId: 'streamChanges',
    path: `${CHANGES_PATH}/flux`,
    tag: API_TAGS.changes,
    summary: { ro: 'Modificările pe măsură ce apar (SSE)', en: 'The changes as they appear (server-sent events)' },
    description: {
      ro:
        'Câte un eveniment pentru fiecare modificare: `id` este cursorul de la care se continuă după ea (păstrați-l pe acesta, nu câmpul `cursor`), `data` este înregistrarea din `modificari`. Un comentariu la 15 secunde; conexiunea se închide după 60 de secunde și costă o cerere, ' +
        `iar clientul se reconectează singur cu \`Last-Event-ID\`, care are întâietate față de \`dupa\`. Cel mult ${MAX_STREAMS.perKey} conexiuni deodată cu o cheie. Un client prea lent este deconectat și poate continua de unde a rămas.`,
      en:
        'One event per change: `id` is the cursor from which to go on after it (store this one, not the field `cursor`), `data` the record of `modificari`. A comment every 15 seconds; the connection is closed after 60 seconds and costs one request, ' +
        `and the client reconnects by itself with \`Last-Event-ID\`, which wins over \`dupa\`. At most ${MAX_STREAMS.perKey} connections of a key at a time. A client that is too slow is disconnected and may go on where it was.`,
    },
    access: CHANGES_ACCESS,
    streams: true,
    parameters: {
      dupa: cursorParameter({
        description: {
          ro: 'Ca la `/modificari`, dar gol = `acum`. `Last-Event-ID` are întâietate.',
          en: 'As for `/modificari`, but empty = `acum`. `Last-Event-ID` wins.',
        },
        example: CURSOR_EXAMPLE,
      }),
      ...FILTER_PARAMETERS,
    },
    requestHeaders: {
      'Last-Event-ID': {
        description: {
          ro: '`id` al ultimului eveniment primit: fluxul continuă de acolo. Are întâietate față de `dupa`.',
          en: 'The `id` of the last event received: the stream goes on from there. It wins over `dupa`.',
        },
        schema: Type.String({ maxLength: MAX_CURSOR_LENGTH }),
      },
    },
    answers: {
      200: {
        description: { ro: 'Evenimentele.', en: 'The events.' },
        schema: EventStreamSchema,
        mediaType: 'text/event-stream',
      },
      ...REFUSALS,
    },
    handle(sent) {
      const { dupa, rendered, key, caller } = sent;
      const named = parsePlaceFilter(sent, { served: rendered, places, caller });
      if ('problem' in named) return refuse(named.problem);
      const filter = filterOf(sent, named, rendered);
      const lastId = caller.headers['last-event-id'];
      const resumed = parseStart(typeof lastId === 'string' ? lastId : '');
      if (resumed === undefined) {
        const message = PARAMETER_MESSAGES.wrong('Last-Event-ID', String(lastId), EXPECTED_VALUES.cursor);
        return refuse(problem(400, message));
      }
      const place = feed.placeOf(resumed ?? dupa ?? 'now');
      if ('problem' in place) return refuse(place.problem);
      return () => feed.answerStream({ place, filter, key: (key as KnownKey).id });
    },
  });
}
