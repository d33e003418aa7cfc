import { createHash } from 'node:crypto';

/** Twelve hexadecimal digits that stand for a path. */
export function pathHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
