/** What the commands that moderate what visitors sent have in common: `reviews` and `reports`. */
import { withDatabase } from '../../app/database/configured-database.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { parseId, unknownId } from '../arguments.ts';
import type { Deletion } from '../delete-for-good.ts';
import type { SubCommand } from '../sub-commands.ts';

/** A kind of thing that is moderated; `T` = one that waits, as `--json` prints it. */
export type Moderated<T extends object> = Deletion & {
  /** What the list says when it is empty. */
  readonly none: string;
  /** Those that wait for a decision, oldest first. */
  readonly waiting: (database: Database<Schema>) => Promise<readonly T[]>;
  readonly linesOf: (one: T) => readonly string[];
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
 * @param decide Returns what follows, to complete "is accepted, …"; `null` = there is none with that id.
 */
export function decisionCommand<State extends string>(
  { words }: Pick<Moderated<object>, 'words'>,
  state: State,
  decide: (database: Database<Schema>, id: number, state: State) => Promise<string | null>,
): SubCommand {
  return {
    usage: 'ID [--json]',
    flags: {},
    argCount: 1,
    async run(call) {
      const id = parseId(call, words);
      const { flags, terminal } = call;
      const meaning = await withDatabase(call, (database) => decide(database, id, state));
      if (meaning === null) throw unknownId(id, words);
      terminal.out(flags.json ? JSON.stringify({ id, state }) : `${words.name} ${id} is ${state}, ${meaning}`);
      return 0;
    },
  };
}
