/** What the commands that moderate what visitors sent have in common: `reviews` and `reports`. */
import type { CommandCall } from '../../app/command.ts';
import { withDatabase } from '../../app/wiring.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { type IdWords, parseId, unknownId } from '../arguments.ts';
import { deleteForGood } from '../delete-for-good.ts';
import type { SubCommand } from '../sub-commands.ts';

/** A kind of thing that is moderated; `T` = one that waits, as `--json` prints it. */
export type Moderated<T extends object> = {
  readonly words: IdWords;
  readonly table: keyof Schema;
  /** What the list says when it is empty. */
  readonly none: string;
  /** Those that wait for a decision, oldest first. */
  readonly waiting: (database: Database<Schema>) => Promise<readonly T[]>;
  readonly linesOf: (one: T) => readonly string[];
  readonly remove: (database: Database<Schema>, id: number) => Promise<boolean>;
};

/** Lists what waits for a decision. */
export function listCommand<T extends object>({ waiting, linesOf, none }: Moderated<T>): SubCommand {
  return {
    usage: '[--json]',
    flags: {},
    argCount: 0,
    async run(call) {
      const { flags, terminal } = call;
      const found = await withDatabase(call, waiting);
      for (const one of found) for (const line of flags.json ? [JSON.stringify(one)] : linesOf(one)) terminal.out(line);
      if (found.length === 0 && !flags.json) terminal.out(none);
      return 0;
    },
  };
}

/**
 * Decides about one.
 *
 * @param decide false = there is none with that id.
 * @param meaning what follows, to complete "is accepted, …".
 */
export function decisionCommand<State extends string>(
  { words }: Pick<Moderated<object>, 'words'>,
  state: State,
  meaning: string,
  decide: (database: Database<Schema>, id: number, state: State) => Promise<boolean>,
): SubCommand {
  return {
    usage: 'ID [--json]',
    flags: {},
    argCount: 1,
    async run(call) {
      const id = parseId(call, words);
      const decided = await withDatabase(call, (database) => decide(database, id, state));
      return printChange(call, words, id, decided, { state }, `is ${state}, ${meaning}`);
    },
  };
}

/** Deletes one for good, with the bytes of its text. */
export function deleteCommand({
  words,
  table,
  remove,
}: Omit<Moderated<object>, 'waiting' | 'linesOf' | 'none'>): SubCommand {
  return {
    usage: 'ID [--json]',
    flags: {},
    argCount: 1,
    async run(call) {
      const id = parseId(call, words);
      const deleted = await deleteForGood(call, table, (database) => remove(database, id));
      return printChange(call, words, id, deleted, { deleted: true }, 'is deleted, with its text');
    },
  };
}

function printChange(
  { flags, terminal }: CommandCall,
  words: IdWords,
  id: number,
  isKnown: boolean,
  outcome: object,
  sentence: string,
): number {
  if (!isKnown) throw unknownId(id, words);
  terminal.out(flags.json ? JSON.stringify({ id, ...outcome }) : `${words.name} ${id} ${sentence}`);
  return 0;
}
