/** Decides which new connections a server takes, makes room where it refuses some, and counts both. */
import type { Socket } from 'node:net';
import type { TrustedProxies } from '../../../domain/access/trusted-proxies.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { ConnectionShares, type Holder, type RefusalReason } from './connection-shares.ts';
import { ConnectionSweeper, type DropReason, type SweeperOptions } from './connection-sweeper.ts';

export type ConnectionCounts = {
  /** Open now. */
  readonly open: number;
  /** Refused since the start, by what was used up. */
  readonly refused: Readonly<Record<RefusalReason, number>>;
  /** Closed since the start to make room for others. */
  readonly dropped: Readonly<Record<DropReason, number>>;
};

export type ConnectionLimiterOptions = {
  readonly limits: ConnectionLimits;
  readonly trustedProxies: TrustedProxies;
  readonly stateOf: SweeperOptions['stateOf'];
  readonly onRefused: (reason: RefusalReason) => void;
};

export class ConnectionLimiter {
  readonly #onRefused: ConnectionLimiterOptions['onRefused'];
  readonly #shares: ConnectionShares;
  readonly #sweeper: ConnectionSweeper;
  readonly #refused: Record<RefusalReason, number> = { total: 0, client: 0, network: 0 };
  readonly #dropped: Record<DropReason, number> = { unused: 0, stalled: 0 };

  constructor({ limits, trustedProxies, stateOf, onRefused }: ConnectionLimiterOptions) {
    this.#onRefused = onRefused;
    this.#shares = new ConnectionShares(limits, trustedProxies);
    const onDropped = (reason: DropReason) => {
      this.#dropped[reason] += 1;
    };
    this.#sweeper = new ConnectionSweeper({ limits, stateOf, onDropped });
  }

  get counts(): ConnectionCounts {
    return {
      open: this.#shares.everybody.sockets.size,
      refused: { ...this.#refused },
      dropped: { ...this.#dropped },
    };
  }

  /** Whether the server takes a new connection; if not, the connection is cut at once, before anything is read. */
  admit(socket: Socket): boolean {
    const full = this.#shares.admit(socket);
    if (full === null) return true;
    // A reset leaves nothing behind in the system, where a normal close would wait for the client.
    socket.on('error', () => undefined).resetAndDestroy();
    this.#recordRefusal(full);
    return false;
  }

  /** Call it for each connection that the server has refused because it holds all that it may. */
  onTotalReached(): void {
    this.#recordRefusal(this.#shares.everybody);
  }

  /** Stops to make room. */
  stop(): void {
    this.#sweeper.stop();
  }

  #recordRefusal(holder: Holder): void {
    this.#refused[holder.reason] += 1;
    this.#onRefused(holder.reason);
    this.#sweeper.onRefused(holder);
  }
}
