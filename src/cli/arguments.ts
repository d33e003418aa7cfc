/** Parses the flags and the ids that several commands take. */
import { type CommandCall, CommandError, UsageError } from '../app/command.ts';
import { BadValue } from '../config/parse.ts';

/** The value of a flag, `undefined` if it is not given. */
export function parseFlag<T>({ flags }: CommandCall, name: string, parse: (text: string) => T): T | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  try {
    return parse(String(given));
  } catch (error) {
    if (error instanceof BadValue) throw new UsageError(`--${name} ${error.message}, not "${given}"`);
    throw error;
  }
}

/** The words of messages about an unknown id: what it names, and the sub-command that shows which. */
export type IdWords = { readonly name: string; readonly list: string; readonly shown: string };

/** Ids are 32 bits in the database. */
const MAX_ID = 2 ** 31 - 1;

/**
 * The argument ID of a sub-command. An invalid one may be a secret such as a key, so the message does not repeat it.
 */
export function parseId({ args }: CommandCall, words: IdWords): number {
  const [word = ''] = args;
  if (!/^\d{1,15}$/.test(word)) {
    throw new UsageError(`ID must be the number of a ${words.name}, as shown by ${words.list}`);
  }
  const id = Number(word);
  if (id > MAX_ID) throw unknownId(id, words);
  return id;
}

/** The error for an id that the database does not know. */
export function unknownId(id: number, { name, list, shown }: IdWords): CommandError {
  return new CommandError(`there is no ${name} ${id}; ${list} shows ${shown}`);
}
