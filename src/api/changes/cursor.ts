/** Cursors of the feed: opaque to clients, they name a place in one epoch. */
import type { StateInterval } from '../../domain/changes/told-state.ts';

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

/** `null` = no cursor of any feed. */
export function parseCursor(text: string): Cursor | null {
  const found = text.length > MAX_CURSOR_LENGTH ? null : PATTERN.exec(text);
  if (found === null) return null;
  const [epoch = '', seq = '', version, from = '', until = ''] = found.slice(1);
  const number = (digits: string) => Number.parseInt(digits, 36);
  const ahead = version === undefined ? null : { version: number(version), from: number(from), until: number(until) };
  return { epoch, seq: number(seq), ahead };
}
