/** A database like a remote one: reached over TCP, through a link that can fail, and restarted whenever it dies. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runningPostmaster, sendSignal } from '../../../src/store/embedded/postmaster.ts';
import { type Attachment, attachToDatabase } from '../../../src/store/embedded/supervisor-client.ts';
import { homeOf, query, waitFor } from '../../support/database/embedded-database.ts';
import { type Child, startChild } from '../../support/processes/child-process.ts';
import type { LinkCommand, LinkReady, LinkReply } from '../processes/link-process.ts';

/** Enough time for a server to recover from a crash, and for its supervisor to restart it. */
const BACK_WITHIN_MS = 60_000;
const DATABASE_MB = 160;
const DATA_MB = 8;

export class RemoteDatabase {
  readonly folder: string;
  /** The address of the database through the link. */
  readonly url: string;
  /** Whether the database and DATA_DIR are on small disks of their own, which can be filled. */
  readonly small: boolean;
  readonly #home: string;
  readonly #attachment: Attachment;
  readonly #link: Child;

  /** Whether this user may mount a small disk. */
  static canMount(): boolean {
    const mountPoint = mkdtempSync(path.join(os.tmpdir(), 'pompa-disk-'));
    const mounted = mount(mountPoint, 1, '');
    if (mounted) spawnSync('umount', [mountPoint]);
    rmSync(mountPoint, { recursive: true });
    return mounted;
  }

  /** Starts a PostgreSQL; with `small`, it and DATA_DIR get small disks if this user may mount them. */
  static async open(small: boolean): Promise<RemoteDatabase> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-remote-'));
    const dataDir = path.join(folder, 'data');
    mkdirSync(dataDir);
    const mounted = small && mount(dataDir, DATA_MB, '');
    const home = await homeOf(dataDir);
    if (mounted) mount(home, DATABASE_MB, ',mode=700');
    const attachment = await attachToDatabase(dataDir);
    const { host, port, user, password, database } = attachment.connection;
    const direct = `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
    const link = startChild('test/resilience/processes/link-process.ts', [direct], { NODE_V8_COVERAGE: '' });
    const { url } = await link.next<LinkReady>();
    return new RemoteDatabase({ folder, url, small: mounted, home, attachment, link });
  }

  private constructor(options: {
    folder: string;
    url: string;
    small: boolean;
    home: string;
    attachment: Attachment;
    link: Child;
  }) {
    this.folder = options.folder;
    this.url = options.url;
    this.small = options.small;
    this.#home = options.home;
    this.#attachment = options.attachment;
    this.#link = options.link;
  }

  async sendCommand(command: LinkCommand): Promise<void> {
    this.#link.send(command);
    await this.#link.next<LinkReply>();
  }

  /** Stops the link, or resumes it with everything that it received meanwhile. */
  signalLink(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#link.process.kill(signal);
  }

  /** Sends the postmaster a signal that ends it; its supervisor starts another one. */
  signalPostmaster(signal: NodeJS.Signals): void {
    const pid = runningPostmaster(path.join(this.#home, 'data'))?.pid;
    if (pid !== undefined) sendSignal(pid, signal);
  }

  /** Resolves when the server answers a direct connection. */
  async waitUntilReachable(): Promise<void> {
    await waitFor('the database', BACK_WITHIN_MS, () =>
      query(this.#attachment.connection, 'select').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Fills a small disk to the last byte, or frees the space again. */
  fillDisk(which: 'database' | 'data', full: boolean): void {
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
    throw new Error('the disk did not become full');
  }

  /** Ends the link and detaches from the database. */
  async close(): Promise<void> {
    this.signalLink('SIGCONT');
    await this.#link.end();
    await this.#attachment.close();
    if (!this.small) return;
    await waitFor('the end of the database', BACK_WITHIN_MS, () => !this.#running());
    for (const mountPoint of [this.#home, path.join(this.folder, 'data')]) spawnSync('umount', ['--lazy', mountPoint]);
  }

  #running(): boolean {
    return runningPostmaster(path.join(this.#home, 'data')) !== undefined;
  }
}

function mount(mountPoint: string, megabytes: number, more: string): boolean {
  const options = `size=${megabytes}m${more}`;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', mountPoint]).status === 0;
}
