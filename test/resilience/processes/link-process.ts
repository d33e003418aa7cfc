/**
 * A link to a database in a process of its own: while that is stopped, no byte is lost or passed on, and no new
 * connection is accepted. Called with the address of the database.
 */
import { randomInteger } from '../../../src/simulation/country/seeded-random.ts';
import { FaultyLink, type LinkFault } from '../../support/database/faulty-link.ts';

export type LinkReady = { readonly url: string };
export type LinkCommand =
  | { readonly kind: 'pass' | 'drop' | 'reset' }
  /** Delays each chunk by 500 to `mostMs` ms. */
  | { readonly kind: 'delay'; readonly mostMs: number; readonly seed: number };
/** Sent after each command is carried out. */
export type LinkReply = { readonly done: LinkCommand['kind'] };

const LEAST_DELAY_MS = 500;

const link = new FaultyLink(process.argv[2] ?? '');
const url = await link.open();

process.on('message', (command: LinkCommand) => {
  if (command.kind === 'reset') link.reset();
  else link.setFault(faultOf(command));
  process.send?.({ done: command.kind } satisfies LinkReply);
});
const end = () => void link.close().then(() => process.exit());
process.once('SIGTERM', end);
process.once('disconnect', end);
process.send?.({ url } satisfies LinkReady);

function faultOf(command: LinkCommand): LinkFault {
  if (command.kind === 'drop') return { kind: 'hole' };
  if (command.kind !== 'delay') return { kind: 'none' };
  let chunk = 0;
  const delayMs = () => {
    chunk += 1;
    return randomInteger(LEAST_DELAY_MS, command.mostMs, command.seed, 'delay', chunk);
  };
  return { kind: 'slow', delayMs };
}
