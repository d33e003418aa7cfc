/** Finds out that a serving process hangs: it runs, or was stopped by a signal, and answers nothing. */
import type { ServingChild } from './serving-child.ts';

/** How often a process is asked for a sign of life. */
export const ASK_EVERY_MS = 3_000;
/**
 * A process that owes so many answers hangs. Questions are counted, not seconds: a supervisor that was stopped as well,
 * as with its machine or its control group, has asked nothing meanwhile.
 */
const UNANSWERED = 10;
/** More than a loaded machine, or the collection of garbage, takes; ms. */
export const HANGS_AFTER_MS = UNANSWERED * ASK_EVERY_MS;

/**
 * Asks a process for a sign of life again and again. Resolves with `true` once it hangs, with `false` once it has ended.
 * @param pause waits; rejects when the signal is aborted.
 */
export async function isFoundHung(
  child: Pick<ServingChild, 'answer'>,
  pause: (ms: number, signal: AbortSignal) => Promise<void>,
  ended: AbortSignal,
): Promise<boolean> {
  let owed = 0;
  const answered = () => {
    owed = 0;
  };
  while (owed < UNANSWERED) {
    owed += 1;
    void child.answer().then(answered);
    await pause(ASK_EVERY_MS, ended).catch(() => undefined);
    if (ended.aborted) return false;
  }
  return true;
}
