/** Finds out that a serving process hangs: it runs, or was stopped by a signal, and answers nothing. */
import { isWithin, type Pause } from './is-within.ts';
import type { ServingChild } from './serving-child.ts';

/** A process that does not serve by then hangs. */
const SERVES_WITHIN_MS = 60_000;
/** How often a process that serves is asked for a sign of life. */
export const ASK_EVERY_MS = 3_000;
/**
 * One that owes so many answers hangs: 30 s are more than a loaded machine, or the collection of garbage, takes.
 * Questions are counted, not seconds: a supervisor that was stopped as well, as with its machine, has asked nothing
 * meanwhile.
 */
const UNANSWERED = 10;

export type WatchedChild = Pick<ServingChild, 'serving' | 'ended' | 'answer'>;

/**
 * Watches a process until it ends or hangs. Resolves with what is wrong as the end of a sentence, with `null` once it
 * has ended.
 * @param stopping ends the wait for a process that starts: it will not serve any more.
 */
export async function whenHung(child: WatchedChild, pause: Pause, stopping: AbortSignal): Promise<string | null> {
  if (!(await isWithin(SERVES_WITHIN_MS, child.serving, pause, stopping)))
    return `does not serve after ${SERVES_WITHIN_MS / 1000} s`;
  const ended = new AbortController();
  void child.ended.then(() => ended.abort());
  let owed = 0;
  const answered = () => {
    owed = 0;
  };
  while (owed < UNANSWERED) {
    owed += 1;
    void child.answer().then(answered);
    await pause(ASK_EVERY_MS, ended.signal).catch(() => undefined);
    if (ended.signal.aborted) return null;
  }
  return `has answered nothing for ${(UNANSWERED * ASK_EVERY_MS) / 1000} s`;
}
