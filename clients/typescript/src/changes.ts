/** The feed of changes, page by page. Its cursors are opaque: keep and send them as they are. */
import { UnexpectedAnswerError } from './errors.ts';
import type { GetChangesInput } from './generated/endpoints.ts';
import type { Modificari } from './generated/models.ts';
import type { CallOptions } from './transport.ts';

export interface FollowOptions extends CallOptions {
  /** Goes on for ever, waiting for what is to come. */
  readonly follow?: boolean;
}

/** How long each request of a follower waits at the service. */
const FOLLOW_SECONDS = 25;
/** Least time between two requests of a follower that is up to date, should the service not wait. */
const FOLLOW_PAUSE_MS = 1000;

/** Asks for page after page; ends when one is up to date, or never with `follow`. */
export async function* followPages(
  ask: (input: GetChangesInput, options: CallOptions) => Promise<Modificari>,
  input: GetChangesInput,
  { follow = false, ...options }: FollowOptions,
): AsyncGenerator<Modificari, void, undefined> {
  let next: GetChangesInput = follow ? { asteapta: FOLLOW_SECONDS, ...input } : input;
  for (;;) {
    const began = Date.now();
    const page = await ask(next, options);
    checkProgress(page, next.dupa);
    yield page;
    const { modificari, urmatorul, la_zi } = page;
    if (la_zi && !follow) return;
    next = { ...next, dupa: urmatorul };
    const early = la_zi && modificari.length === 0 ? began + FOLLOW_PAUSE_MS - Date.now() : 0;
    if (early > 0) await pause(early, options.signal);
  }
}

/** Throws for what would be asked for again and again. */
function checkProgress({ modificari, urmatorul, la_zi }: Modificari, after: string | undefined): void {
  if (!Array.isArray(modificari) || typeof urmatorul !== 'string')
    throw new UnexpectedAnswerError('a page of changes must have modificari and urmatorul');
  if (!la_zi && urmatorul === after)
    throw new UnexpectedAnswerError(`the feed stays at the cursor ${after}, though more is to follow`);
}

/** Shorter than a second, so that an aborted signal may be noticed afterwards. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal?.throwIfAborted();
}
