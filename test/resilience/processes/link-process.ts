/**
 * The way to a database, in a process of its own: stopped, it drops no byte and passes none on, and new connections
 * come about no more. Called with the address of the database.
 */
import { randomInteger } from '../../../src/simulation/country/seeded-random.ts';
import { FaultyLink, type LinkFault } from '../../support/database/faulty-link.ts';

export type LinkReady = { readonly url: string };
export type LinkCommand =
  | { readonly order: 'pass' | 'drop' | 'reset' }
  /** From 0.5 to `mostMs` for each piece. */
  | { readonly order: 'delay'; readonly mostMs: number; readonly seed: number };
/** Done. */
export type LinkReply = { readonly obeyed: LinkCommand['order'] };

const LEAST_DELAY_MS = 500;

const link = new FaultyLink(process.argv[2] ?? '');
const url = await link.open();

process.on('message', (command: LinkCommand) => {
  if (command.order === 'reset') link.reset();
  else link.setFault(faultOf(command));
  process.send?.({ obeyed: command.order } satisfies LinkReply);
});
const end = () => void link.close().then(() => process.exit());
process.once('SIGTERM', end);
process.once('disconnect', end);
process.send?.({ url } satisfies LinkReady);

function faultOf(command: LinkCommand): LinkFault {
  if (command.order === 'drop') return { kind: 'hole' };
  if (command.order !== 'delay') return { kind: 'none' };
  let piece = 0;
  const delayMs = () => {
    piece += 1;
    return randomInteger(LEAST_DELAY_MS, command.mostMs, command.seed, 'delay', piece);
  };
  return { kind: 'slow', delayMs };
}
