/** What the service answers at a moment, as it is recorded with a backup and compared by a drill. */
import type { PriceRanges } from './fuel.ts';

export type BackupAnswers = {
  /** The moment of which the answers are, epoch ms. */
  readonly now: number;
  /** Version of the program that gave them: another one may answer differently. */
  readonly program: string;
  /** The settings by which prices were judged. */
  readonly ranges: PriceRanges;
  readonly inService: readonly string[] | null;
  /** By what was asked: a figure, or the SHA-256 of the bytes. */
  readonly answers: Readonly<Record<string, string>>;
};

/** The names of what was answered differently, or by one of them only. */
export function differentAnswers(
  recorded: BackupAnswers['answers'],
  restored: BackupAnswers['answers'],
): readonly string[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(restored)]);
  return [...names].filter((name) => recorded[name] !== restored[name]);
}
