/** Writes one run's archive: under a temporary name first, renamed into place when the run is complete. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { createZstdCompress, type ZstdCompress } from 'node:zlib';
import { makeDirectory } from '../../files/make-directory.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { archiveFolder, archivePath } from './archive.ts';
import type { ArchivedAnswer, RecordSink } from './recording.ts';

export type Recorder = RecordSink & {
  /** Closes the file, syncs it to disk, names it after the run's time (epoch ms), and returns its path. */
  finish(instant: number): Promise<string>;
  /** Deletes what was written. */
  discard(): Promise<void>;
};

/** Opens the archive of a run of `source`. Writes after `finish` or `discard` are dropped. */
export async function openRecorder(dataDir: string, source: string): Promise<Recorder> {
  const folder = archiveFolder(dataDir, source);
  makeDirectory(folder);
  return new FileRecorder((instant) => archivePath(dataDir, source, instant), join(folder, `${randomUUID()}.part`));
}

class FileRecorder implements Recorder {
  readonly #pathAt: (instant: number) => string;
  readonly #temporary: string;
  readonly #compressor: ZstdCompress = createZstdCompress();
  readonly #done: Promise<void>;
  #closed = false;
  #failure: Error | null = null;
  #drained: Promise<unknown> | null = null;

  constructor(pathAt: (instant: number) => string, temporary: string) {
    this.#pathAt = pathAt;
    this.#temporary = temporary;
    this.#done = pipeline(this.#compressor, createWriteStream(temporary, { mode: 0o600 }));
    this.#done.catch((error: Error) => {
      this.#failure = error;
    });
  }

  async write(record: ArchivedAnswer): Promise<void> {
    if (this.#closed) return;
    if (this.#failure) throw this.#failure;
    if (this.#compressor.write(`${JSON.stringify(record)}\n`)) return;
    this.#drained ??= new Promise((room) => this.#compressor.once('drain', room));
    await Promise.race([this.#drained, this.#done]);
    this.#drained = null;
  }

  async finish(instant: number): Promise<string> {
    const path = this.#pathAt(instant);
    this.#closed = true;
    this.#compressor.end();
    const complete = async () => {
      await this.#done;
      await makeDurable(this.#temporary);
    };
    await writeAtomically(path, complete, { temporary: this.#temporary });
    await makeDurable(dirname(path));
    return path;
  }

  async discard(): Promise<void> {
    this.#closed = true;
    this.#compressor.destroy();
    await finished(this.#compressor).catch(() => undefined);
    await this.#done.catch(() => undefined);
    await rm(this.#temporary, { force: true });
  }
}

async function makeDurable(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
