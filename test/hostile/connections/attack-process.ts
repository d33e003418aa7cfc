/** Runs attacks on command, one after another or several at once, and reports wrong answers. */
import { runAttack } from './attacks.ts';
import type { AttackScenario } from './scenario.ts';

export type AttackCommand = { readonly attacks: readonly string[]; readonly scenario: AttackScenario };
export type AttackReport = { readonly complaints: readonly string[] };

process.on('message', ({ attacks, scenario }: AttackCommand) => {
  Promise.all(attacks.map((name) => runAttack(name, scenario))).then(
    (each) => process.send?.({ complaints: each.flat() } satisfies AttackReport),
    (error: Error) => process.send?.({ complaints: [error.stack ?? error.message] } satisfies AttackReport),
  );
});
process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());
