import { createHash } from 'node:crypto';

/** Twelve hexadecimal digits that stand for a path. */
export function hash12(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
