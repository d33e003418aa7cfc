/** A database as a service elsewhere: reached over TCP, on a way that can fail, and restarted whenever it dies. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runningPostmaster, send } from '../../../src/store/embedded/postmaster.ts';
import { type Attachment, attach } from '../../../src/store/embedded/supervisor-client.ts';
import { type Child, start } from '../../support/child-process.ts';
import { homeOf, query, until } from '../../support/embedded-database.ts';
import type { Obeyed, Opened, Order } from '../processes/faulty-link.ts';

/** A server that recovers from a crash, and its keeper, have time for it. */
const BACK_WITHIN_MS = 60_000;
const UNPRIVILEGED = 65_534;
const DATABASE_MB = 160;
const DATA_MB = 8;

export class Remote {
  readonly folder: string;
  /** The address of the database on the way that can fail. */
  readonly url: string;
  /** Whether the disks are small ones of their own, which can be filled. */
  readonly small: boolean;
  readonly #home: string;
  readonly #attachment: Attachment;
  readonly #link: Child;

  /** Whether this user may mount a small disk. */
  static canMount(): boolean {
    const place = mkdtempSync(path.join(os.tmpdir(), 'pompa-disk-'));
    const mounted = mount(place, 1, '');
    if (mounted) spawnSync('umount', [place]);
    rmSync(place, { recursive: true });
    return mounted;
  }

  /** Starts a PostgreSQL; with `small` on a small disk, where this user may mount one, and DATA_DIR likewise. */
  static async open(small: boolean): Promise<Remote> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-remote-'));
    const dataDir = path.join(folder, 'data');
    mkdirSync(dataDir);
    const mounted = small && mount(dataDir, DATA_MB, '');
    const home = await homeOf(dataDir);
    if (mounted) mount(home, DATABASE_MB, `,uid=${UNPRIVILEGED},gid=${UNPRIVILEGED},mode=700`);
    const attachment = await attach(dataDir);
    const { host, port, user, password, database } = attachment.connection;
    const direct = `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
    const link = start('test/resilience/processes/faulty-link.ts', [direct], { NODE_V8_COVERAGE: '' });
    const { url } = await link.next<Opened>();
    return new Remote({ folder, url, small: mounted, home, attachment, link });
  }

  private constructor(parts: {
    folder: string;
    url: string;
    small: boolean;
    home: string;
    attachment: Attachment;
    link: Child;
  }) {
    this.folder = parts.folder;
    this.url = parts.url;
    this.small = parts.small;
    this.#home = parts.home;
    this.#attachment = parts.attachment;
    this.#link = parts.link;
  }

  async order(order: Order): Promise<void> {
    this.#link.send(order);
    await this.#link.next<Obeyed>();
  }

  /** Stops the way, or lets it go on with everything it was given meanwhile. */
  stop(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#link.process.kill(signal);
  }

  /** Tells the server's first process to end; its keeper starts another one. */
  hit(signal: NodeJS.Signals): void {
    const pid = runningPostmaster(path.join(this.#home, 'data'))?.pid;
    if (pid !== undefined) send(pid, signal);
  }

  /** Resolves when the server answers those who ask it directly. */
  async back(): Promise<void> {
    await until('the database', BACK_WITHIN_MS, () =>
      query(this.#attachment.connection, 'select').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Fills a small disk to the last byte, or makes the room again. */
  fill(which: 'database' | 'data', full: boolean): void {
    const file = path.join(which === 'data' ? path.join(this.folder, 'data') : this.#home, 'filler');
    rmSync(file, { force: true });
    if (!full) return;
    for (let megabytes = 0; megabytes < DATABASE_MB; megabytes += 1) {
      try {
        writeFileSync(file, Buffer.alloc(1024 * 1024), { flag: 'a' });
      } catch {
        return;
      }
    }
    throw new Error('the disk took all of it');
  }

  /** Ends the way and lets go of the database. */
  async close(): Promise<void> {
    this.stop('SIGCONT');
    await this.#link.end();
    await this.#attachment.close();
    if (!this.small) return;
    await until('the end of the database', BACK_WITHIN_MS, () => !this.#running());
    for (const place of [this.#home, path.join(this.folder, 'data')]) spawnSync('umount', ['--lazy', place]);
  }

  #running(): boolean {
    return runningPostmaster(path.join(this.#home, 'data')) !== undefined;
  }
}

function mount(place: string, megabytes: number, more: string): boolean {
  const options = `size=${megabytes}m${more}`;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]).status === 0;
}
