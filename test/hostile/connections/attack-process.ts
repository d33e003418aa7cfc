/** Attacks as it is told, one after the other or several at once, and tells what was not as it should be. */
import { fight } from './attacks.ts';
import type { Battle } from './scenario.ts';

export type Orders = { readonly attacks: readonly string[]; readonly battle: Battle };
export type Fought = { readonly complaints: readonly string[] };

process.on('message', ({ attacks, battle }: Orders) => {
  Promise.all(attacks.map((name) => fight(name, battle))).then(
    (each) => process.send?.({ complaints: each.flat() } satisfies Fought),
    (error: Error) => process.send?.({ complaints: [error.stack ?? error.message] } satisfies Fought),
  );
});
process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());
