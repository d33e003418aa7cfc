/** Shares of the open connections: no client and no network can hold all of them. */
import type { Socket } from 'node:net';
import { clientAddress } from '../../../domain/access/client-address.ts';
import { clientNetwork } from '../../../domain/access/client-network.ts';
import { parseAddress } from '../../../domain/access/ip-address.ts';
import { isTrusted, NO_PROXIES, type TrustedProxies } from '../../../domain/access/trusted-proxies.ts';
import type { ConnectionLimits } from './connection-limits.ts';

/** What was used up when a connection was refused: all connections, or the share of its client or network. */
export type RefusalReason = 'total' | 'client' | 'network';

/** The connections of one client or of one network. */
export type Holder = {
  readonly sockets: ReadonlySet<Socket>;
  readonly reason: RefusalReason;
};

type OpenHolder = Holder & { readonly key: string; readonly sockets: Set<Socket>; readonly share: number };

export class ConnectionShares {
  readonly #limits: ConnectionLimits;
  readonly #trusted: TrustedProxies;
  readonly #holders = new Map<string, OpenHolder>();
  readonly #everybody: Holder & { readonly sockets: Set<Socket> } = { sockets: new Set(), reason: 'total' };

  /** @param trusted proxies: they hold connections for many clients, and only the total limits them. */
  constructor(limits: ConnectionLimits, trusted: TrustedProxies) {
    this.#limits = limits;
    this.#trusted = trusted;
  }

  /** All open connections. */
  get everybody(): Holder {
    return this.#everybody;
  }

  /** Counts a new connection until it closes; if a share is used up, returns its holder, and counts nothing. */
  admit(socket: Socket): Holder | null {
    const holders = this.#holdersOf(socket.remoteAddress);
    const full = holders.find(({ sockets, share }) => sockets.size >= share);
    if (full !== undefined) return full;
    for (const { sockets } of [...holders, this.#everybody]) sockets.add(socket);
    for (const holder of holders) this.#holders.set(holder.key, holder);
    socket.once('close', () => this.#remove(socket, holders));
    return null;
  }

  #holdersOf(peer: string | undefined): OpenHolder[] {
    const address = peer === undefined ? null : parseAddress(peer);
    if (address !== null && isTrusted(address, this.#trusted)) return [];
    const { client } = clientAddress(peer, undefined, NO_PROXIES);
    const { connectionsPerClient, connectionsPerNetwork } = this.#limits;
    return [
      this.#holder(`client ${client}`, 'client', connectionsPerClient),
      this.#holder(`network ${clientNetwork(client)}`, 'network', connectionsPerNetwork),
    ];
  }

  #holder(key: string, reason: RefusalReason, share: number): OpenHolder {
    return this.#holders.get(key) ?? { key, reason, share, sockets: new Set() };
  }

  #remove(socket: Socket, holders: readonly OpenHolder[]): void {
    this.#everybody.sockets.delete(socket);
    for (const { key, sockets } of holders) {
      sockets.delete(socket);
      if (sockets.size === 0) this.#holders.delete(key);
    }
  }
}
