/** Cursors of the feed: opaque to clients, they name a place in one epoch. */
import { isEarlierState, isSameState, type StateInterval, type ToldState } from './told-state.ts';

export type Cursor = {
  readonly epoch: string;
  /** The number of the last change that the client has; 0 = none. */
  readonly seq: number;
  /**
   * What the client read beyond that: a snapshot whose changes were not told yet. Until its state is told, the client
   * may know more than the changes after `seq` tell.
   */
  readonly ahead: StateInterval | null;
};

const NUMBER = '(0|[1-9a-z][0-9a-z]{0,9})';
const PATTERN = new RegExp(`^([\\w-]{8})\\.${NUMBER}(?:\\.${NUMBER}\\.${NUMBER}\\.${NUMBER})?$`);

/** Longer than any cursor. */
export const MAX_CURSOR_LENGTH = 64;

export function cursorText({ epoch, seq, ahead }: Cursor): string {
  const place = `${epoch}.${seq.toString(36)}`;
  if (ahead === null) return place;
  return `${place}.${[ahead.version, ahead.from, ahead.until].map((each) => each.toString(36)).join('.')}`;
}

/** What a snapshot shows, and how long. */
export type ShownSnapshot = { readonly version: number; readonly now: number; readonly nextChangeAt: number };

/**
 * The cursor from which the feed leads on from a snapshot; `null` = from none of these states, the newest of which is
 * the last. If several show the same moment, a new program or other settings judged again: the snapshot may be by the
 * rules of any of them, and the changes after the earliest lead on from each.
 */
export function cursorOfSnapshot(
  epoch: string,
  states: readonly ToldState[],
  { version, now, nextChangeAt }: ShownSnapshot,
): string | null {
  const shown = { version, from: now, until: nextChangeAt };
  let earliest: ToldState | null = null;
  for (let index = states.length - 1; index >= 0; index -= 1) {
    const state = states[index] as ToldState;
    if (isSameState(state, shown)) earliest = state;
    else if (earliest !== null) break;
    else if (isEarlierState(state, shown)) return cursorText({ epoch, seq: state.seq, ahead: shown });
  }
  return earliest === null ? null : cursorText({ epoch, seq: earliest.seq, ahead: null });
}

/** `null` = no cursor of any feed. */
export function parseCursor(text: string): Cursor | null {
  const found = text.length > MAX_CURSOR_LENGTH ? null : PATTERN.exec(text);
  if (found === null) return null;
  const [epoch = '', seq = '', version, from = '', until = ''] = found.slice(1);
  const number = (digits: string) => Number.parseInt(digits, 36);
  const ahead = version === undefined ? null : { version: number(version), from: number(from), until: number(until) };
  return { epoch, seq: number(seq), ahead };
}
