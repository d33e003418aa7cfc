/**
 * The way to a database, in a process of its own: stopped, it drops no byte and passes none on, and new connections
 * come about no more. Called with the address of the database.
 */
import { whole } from '../../../src/simulation/country/seeded-random.ts';
import { type Fault, Link } from '../../support/faulty-link.ts';

export type Opened = { readonly url: string };
export type Order =
  | { readonly order: 'pass' | 'drop' | 'reset' }
  /** From 0.5 to `mostMs` for each piece. */
  | { readonly order: 'delay'; readonly mostMs: number; readonly seed: number };
/** Done. */
export type Obeyed = { readonly obeyed: Order['order'] };

const LEAST_DELAY_MS = 500;

const link = new Link(process.argv[2] ?? '');
const url = await link.open();

process.on('message', (order: Order) => {
  if (order.order === 'reset') link.reset();
  else link.fail(faultOf(order));
  process.send?.({ obeyed: order.order } satisfies Obeyed);
});
const end = () => void link.close().then(() => process.exit());
process.once('SIGTERM', end);
process.once('disconnect', end);
process.send?.({ url } satisfies Opened);

function faultOf(order: Order): Fault {
  if (order.order === 'drop') return { kind: 'hole' };
  if (order.order !== 'delay') return { kind: 'none' };
  let piece = 0;
  const delayMs = () => {
    piece += 1;
    return whole(LEAST_DELAY_MS, order.mostMs, order.seed, 'delay', piece);
  };
  return { kind: 'slow', delayMs };
}
