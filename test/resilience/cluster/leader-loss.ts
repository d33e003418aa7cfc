/** How the leader of a cluster is lost, and comes back. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PatroniCluster } from './patroni-cluster.ts';
import type { PatroniNode } from './patroni-node.ts';

/** Its processes die, or hang, or its network goes; or it is told to hand over. */
export type FailoverKind = 'kill' | 'freeze' | 'cut' | 'switchover';

export class LeaderLoss {
  readonly kind: FailoverKind;
  readonly leader: PatroniNode;
  readonly #cluster: PatroniCluster;

  constructor(cluster: PatroniCluster, kind: FailoverKind, leader: PatroniNode) {
    this.#cluster = cluster;
    this.kind = kind;
    this.leader = leader;
  }

  /**
   * Begins it. A leader that is cut off loses etcd and the standbys first: for `reachableMs` clients still reach one
   * whose commits nobody else has.
   */
  async begin(reachableMs: number): Promise<void> {
    const { kind, leader } = this;
    if (kind === 'kill') await leader.kill();
    else if (kind === 'freeze') await leader.freeze();
    else if (kind === 'switchover') await this.#cluster.switchover();
    else {
      await this.#cluster.link(leader, 'cluster', 'drop');
      await sleep(reachableMs);
      await this.#cluster.link(leader, 'proxy', 'drop');
    }
  }

  /** Lets the server come back. */
  async end(): Promise<void> {
    const { kind, leader } = this;
    if (kind === 'kill') leader.start();
    if (kind === 'freeze') await leader.thaw();
    if (kind !== 'cut') return;
    await this.#cluster.link(leader, 'cluster', 'pass');
    await this.#cluster.link(leader, 'proxy', 'pass');
  }
}
