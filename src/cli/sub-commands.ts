/** Verbs that are several: `keys create`, `keys list` … Each has words and flags of its own. */
import type { ParseArgsOptionsConfig } from 'node:util';
import { type Call, UsageError, type Verb } from '../app/command.ts';

export type SubVerb = {
  /** The words after its name, such as `ID [--quota N]`. */
  readonly usage: string;
  readonly flags: ParseArgsOptionsConfig;
  /** How many words it takes after its name. */
  readonly words: number;
  /** Does the work; `words` of the call begin after its name, and the number is the exit code. */
  run(call: Call): Promise<number>;
};

/**
 * One verb made of several. A flag that another of them has is refused as one that nobody has; flags of the same name
 * must be of the same type.
 */
export function verbOf(name: string, details: string, parts: Readonly<Record<string, SubVerb>>): Verb {
  const usageOf = (part: string) => `${name} ${part} ${parts[part]?.usage}`.trim();
  return {
    name,
    usage: `${name} ${Object.keys(parts).join('|')} …`,
    details: `${Object.keys(parts).map(usageOf).join('\n')}\n\n${details}`,
    flags: Object.assign({}, ...Object.values(parts).map(({ flags }) => flags)),
    words: { least: 1, most: 1 + Math.max(...Object.values(parts).map(({ words }) => words)) },
    async run(call) {
      const [called = '', ...words] = call.words;
      const part = Object.hasOwn(parts, called) ? parts[called] : undefined;
      if (part === undefined) {
        throw new UsageError(`${name} takes ${Object.keys(parts).join(', ')}, not "${called}"`);
      }
      const stranger = Object.keys(call.flags).find((flag) => flag !== 'json' && !Object.hasOwn(part.flags, flag));
      if (stranger !== undefined) {
        throw new UsageError(`${name} ${called} has no --${stranger}; usage: pompa ${usageOf(called)}`);
      }
      if (words.length !== part.words) throw new UsageError(`usage: pompa ${usageOf(called)}`);
      return part.run({ ...call, words });
    },
  };
}
