/** The feed of changes, page by page. Its cursors are opaque: keep and send them as they are. */
import type { Operation } from './build-request.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { CallOptions } from './transport.ts';

export const CHANGES: Operation = { method: 'GET', path: '/api/v1/modificari', hasBody: false, answers: [200] };

/** What to ask the feed for; further filters are sent as they are. */
export interface ChangesInput {
  /** Changes after this cursor; without one, from the oldest that the feed has. */
  readonly dupa?: string | undefined;
  /** Most changes of a page. */
  readonly limita?: number | undefined;
  /** How long the service may wait for a change, seconds. */
  readonly asteapta?: number | undefined;
  readonly [filter: string]: string | number | readonly string[] | undefined;
}

/** One change of what is served; the kind, `fel`, says which other fields it has. */
export interface Change {
  /** The place of the change in the feed. */
  readonly cursor: string;
  readonly fel: string;
  readonly [field: string]: unknown;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  /** Where the next page begins; it moves past changes that the filters left out, too. */
  readonly next: string;
  /** Whether nothing follows at present. */
  readonly upToDate: boolean;
}

/** How long each request of a follower waits at the service. */
const FOLLOW_SECONDS = 25;
/** For a page, besides the time that the service waits as it is asked to. */
const PAGE_SECONDS = 30;
/** Least time between two requests of a follower that is up to date, should the service not wait. */
const FOLLOW_PAUSE_MS = 1000;

/** Throws `UnexpectedAnswerError` where the answer is no page of the feed. */
export function readPage(answer: unknown): ChangePage {
  const { modificari, urmatorul, la_zi } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(modificari) || typeof urmatorul !== 'string' || typeof la_zi !== 'boolean')
    throw new UnexpectedAnswerError('a page of changes must have modificari, urmatorul and la_zi');
  return { changes: modificari, next: urmatorul, upToDate: la_zi };
}

/** The time limit of a page, where the caller names none: longer than the service waits. */
export function pageTimeout({ asteapta }: ChangesInput, { timeoutSeconds }: CallOptions): number | undefined {
  return timeoutSeconds ?? (asteapta === undefined ? undefined : asteapta + PAGE_SECONDS);
}

/** Asks for page after page; ends when one is up to date, or never with `follow`. */
export async function* followPages(
  ask: (input: ChangesInput, options: CallOptions) => Promise<ChangePage>,
  { dupa, ...filters }: ChangesInput,
  { follow = false, ...options }: CallOptions & { readonly follow?: boolean },
): AsyncGenerator<ChangePage, void, undefined> {
  const asteapta = filters.asteapta ?? (follow ? FOLLOW_SECONDS : undefined);
  let after = dupa;
  for (;;) {
    const began = Date.now();
    const page = await ask({ ...filters, asteapta, dupa: after }, options);
    yield page;
    if (page.upToDate && !follow) return;
    if (!page.upToDate && page.next === after)
      throw new UnexpectedAnswerError(`the feed stays at the cursor ${after}, though more is to follow`);
    after = page.next;
    const early = page.upToDate && page.changes.length === 0 ? began + FOLLOW_PAUSE_MS - Date.now() : 0;
    if (early > 0) await pause(early, options.signal);
  }
}

/** Shorter than a second, so that an aborted signal may be noticed afterwards. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal?.throwIfAborted();
}
