/** Commands with sub-commands: `keys create`, `keys list` … Each has its own arguments and flags. */
import type { ParseArgsOptionsConfig } from 'node:util';
import { type Command, type CommandCall, UsageError } from '../app/command.ts';

export type SubCommand = {
  /** The arguments after its name, such as `ID [--quota N]`. */
  readonly usage: string;
  readonly flags: ParseArgsOptionsConfig;
  /** How many arguments it takes after its name. */
  readonly argCount: number;
  /** Does the work; `args` of the call begin after its name. Resolves with the exit code. */
  run(call: CommandCall): Promise<number>;
};

/**
 * Makes one command of several sub-commands. A flag of another sub-command is refused like an unknown flag; flags of
 * the same name must have the same type.
 */
export function commandWithSubCommands(
  name: string,
  details: string,
  subCommands: Readonly<Record<string, SubCommand>>,
): Command {
  const usageOf = (subName: string) => `${name} ${subName} ${subCommands[subName]?.usage}`.trim();
  return {
    name,
    usage: `${name} ${Object.keys(subCommands).join('|')} …`,
    details: `${Object.keys(subCommands).map(usageOf).join('\n')}\n\n${details}`,
    flags: Object.assign({}, ...Object.values(subCommands).map(({ flags }) => flags)),
    args: { min: 1, max: 1 + Math.max(...Object.values(subCommands).map(({ argCount }) => argCount)) },
    async run(call) {
      const [subName = '', ...args] = call.args;
      const subCommand = Object.hasOwn(subCommands, subName) ? subCommands[subName] : undefined;
      if (subCommand === undefined) {
        throw new UsageError(`${name} takes ${Object.keys(subCommands).join(', ')}, not "${subName}"`);
      }
      const unknownFlag = Object.keys(call.flags).find(
        (flag) => flag !== 'json' && !Object.hasOwn(subCommand.flags, flag),
      );
      if (unknownFlag !== undefined) {
        throw new UsageError(`${name} ${subName} has no --${unknownFlag}; usage: pompa ${usageOf(subName)}`);
      }
      if (args.length !== subCommand.argCount) throw new UsageError(`usage: pompa ${usageOf(subName)}`);
      return subCommand.run({ ...call, args });
    },
  };
}
