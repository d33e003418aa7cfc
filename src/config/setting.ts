/** One setting of the table. */
import type { Parser } from './parse.ts';

export type Setting<T> = {
  /** The default as the operator would write it; `null` = unset. */
  readonly defaultText: string | null;
  readonly parse: Parser<T>;
  readonly description: string;
};

export const setting = <T>(defaultText: string | null, parse: Parser<T>, description: string): Setting<T> => ({
  defaultText,
  parse,
  description,
});
