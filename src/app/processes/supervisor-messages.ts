/** What a supervisor and its serving processes tell each other, over the channel that Node opens for a child. */
import type { Metrics } from '../metrics/metrics.ts';

/** The counts of one process. */
export type ProcessMetrics = Awaited<ReturnType<Metrics['json']>>;

/** What a serving process is to do, its first message. */
export type ServingTask = {
  /** From 1 on: which of the processes it is. A process that replaces another has its number. */
  readonly number: number;
  /** How many there are. */
  readonly processes: number;
  /** The address that the inherited socket is bound to. */
  readonly host: string;
  /** Whether it does the scheduled work as well. */
  readonly worker: boolean;
  /** Whether another process serves the socket until this one does. */
  readonly takesOver: boolean;
};

export type ToServingProcess =
  | { readonly kind: 'serve'; readonly task: ServingTask }
  /** It is about to be asked to end: let load balancers know. */
  | { readonly kind: 'stopping' }
  /**
   * End. Where another process has taken over the socket, clients lose nothing: `drain`. Without it a drain ends, too.
   */
  | { readonly kind: 'stop'; readonly drain: boolean }
  | { readonly kind: 'metrics' }
  /** Give a sign of life. */
  | { readonly kind: 'ask' }
  /** The answer to a claim: when the request had been accepted, `null` = it is now. */
  | { readonly kind: 'claimed'; readonly id: number; readonly before: number | null };

export type ToSupervisor =
  /** It accepts connections, on this address. */
  | { readonly kind: 'serving'; readonly address: string }
  /** It ends, for a reason that the operator should read. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Whenever asked, and before it ends. */
  | { readonly kind: 'metrics'; readonly metrics: ProcessMetrics }
  /** Whenever asked. */
  | { readonly kind: 'alive' }
  /** See `AcceptanceClaims`. */
  | { readonly kind: 'claim'; readonly id: number; readonly name: string; readonly at: number }
  | { readonly kind: 'release'; readonly name: string; readonly at: number };

/** The file descriptor under which a serving process finds its socket: behind the standard ones and the channel. */
export const SOCKET_FD = 4;
