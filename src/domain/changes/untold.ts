/** Whether the feed of changes keeps up with what is served. */
import type { StateInterval } from './told-state.ts';

/** Usually it is told within a second. */
export const MAX_UNTOLD_MS = 60_000;

/** A publication, and since when it is served, epoch ms. */
export type ServedPublication = { readonly version: number; readonly since: number };

/** Since when something that is served is not told, epoch ms; `null` = all is told. `told` is `null` if nothing was. */
export function untoldSince(
  told: StateInterval | null,
  { version, since }: ServedPublication,
  now: number,
): number | null {
  if (version === 0) return null;
  if (told === null) return since;
  const isBehind = told.version < version;
  const isOver = told.until <= now;
  if (isBehind && isOver) return Math.min(since, told.until);
  if (isBehind) return since;
  return isOver ? told.until : null;
}
