/** Follows the feed of changes, page by page. Its cursors are opaque: keep and send them as they are. */
import { UnexpectedAnswerError } from './errors.ts';
import type { GetChangesInput } from './generated/endpoints.ts';
import type { Modificari } from './generated/models.ts';
import type { CallOptions } from './transport.ts';

/** How long each request of a follower waits at the service. */
const FOLLOW_SECONDS = 25;
/** Least time between two requests of a follower that is up to date, should the service not wait. */
const FOLLOW_PAUSE_MS = 1000;

/** Asks for page after page; ends when one is up to date, or never with `follow`. */
export async function* followPages(
  ask: (input: GetChangesInput, options: CallOptions) => Promise<Modificari>,
  { dupa, ...filters }: GetChangesInput,
  { follow = false, ...options }: CallOptions & { readonly follow?: boolean },
): AsyncGenerator<Modificari, void, undefined> {
  const asked: GetChangesInput = follow ? { asteapta: FOLLOW_SECONDS, ...filters } : filters;
  let after = dupa;
  for (;;) {
    const began = Date.now();
    const page = await ask(after === undefined ? asked : { ...asked, dupa: after }, options);
    const { modificari, urmatorul, la_zi: isUpToDate } = page;
    // Something between may answer in place of the service.
    if (!Array.isArray(modificari) || typeof urmatorul !== 'string')
      throw new UnexpectedAnswerError('a page of changes must have modificari and urmatorul');
    yield page;
    if (isUpToDate && !follow) return;
    if (!isUpToDate && urmatorul === after)
      throw new UnexpectedAnswerError(`the feed stays at the cursor ${after}, though more is to follow`);
    after = urmatorul;
    const early = isUpToDate && modificari.length === 0 ? began + FOLLOW_PAUSE_MS - Date.now() : 0;
    if (early > 0) await pause(early, options.signal);
  }
}

/** Shorter than a second, so that an aborted signal may be noticed afterwards. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal?.throwIfAborted();
}
