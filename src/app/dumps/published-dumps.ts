/** The dumps that a service publishes: only what the manifest names, opened so that nobody can replace it meanwhile. */
import { constants, open } from 'node:fs/promises';
import path from 'node:path';
import type { DumpLookup, OpenedDump } from '../../api/http/dump-routes.ts';
import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';
import type { DumpManifest } from '../../dumps/manifest.ts';
import { dumpFolder, ManifestReader } from '../../dumps/published/dump-folder.ts';
import { DESCRIPTION_FILES, mediaTypeOf } from '../../dumps/published/published-names.ts';

/** How often the service looks whether there are newer ones. */
const REFRESH_MS = 15_000;
/**
 * Downloads at once: each holds 64 kB and a file, of which a process has few to spare. Readers of Parquet ask for
 * several parts at once, and who waits is served in turn: more of one client at once would slow plain reads down.
 */
const DOWNLOADS = {
  ...{ slots: 96, slotsPerClient: 6, slotsPerNetwork: 48 },
  ...{ maxWaiting: 2_000, maxWaitingPerClient: 100 },
};

export type PublishedDumps = DumpLookup & {
  /** The same object for as long as they are the same; `null` = there are none. */
  readonly manifest: () => DumpManifest | null;
  readonly close: () => void;
};

/** `null` = no source may be dumped, so whatever is on disk is not published. */
export async function publishedDumps(dataDir: string, allowed: readonly string[]): Promise<PublishedDumps | null> {
  if (allowed.length === 0) return null;
  const folder = dumpFolder(dataDir);
  const reader = new ManifestReader(folder);
  const downloads = new FairSemaphore(DOWNLOADS);
  let manifest: DumpManifest | null = null;
  let finalNames: ReadonlyMap<string, boolean> = new Map();
  const refresh = async () => {
    const read = publishable(await reader.read(), allowed);
    if (read === manifest) return;
    manifest = read;
    finalNames = namesOf(read);
  };
  await refresh();
  const timer = setInterval(() => void refresh().catch(() => undefined), REFRESH_MS).unref();
  return {
    manifest: () => manifest,
    close: () => clearInterval(timer),
    takeTurn: (client, gone) => downloads.acquire({ client, network: clientNetwork(client) }, gone),
    isPublished: () => manifest !== null,
    has: (name) => finalNames.has(name),
    open: async (name) => {
      const isFinal = finalNames.get(name);
      return isFinal === undefined ? null : openFile(folder, name, isFinal);
    },
  };
}

/** What a source gave that may be published no longer is not, until the next dump has left it out. */
function publishable(manifest: DumpManifest | null, allowed: readonly string[]): DumpManifest | null {
  return manifest?.allowed.every((source) => allowed.includes(source)) ? manifest : null;
}

/** By path: whether the file never changes again. */
function namesOf(manifest: DumpManifest | null): ReadonlyMap<string, boolean> {
  if (manifest === null) return new Map();
  return new Map([
    ...DESCRIPTION_FILES.map((name) => [name, false] as const),
    ...manifest.files.map((file) => [file.path, file.isFinal] as const),
  ]);
}

/** The entity tag is that of the bytes that are open, whatever takes their name meanwhile. */
async function openFile(folder: string, name: string, isFinal: boolean): Promise<OpenedDump | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path.join(folder, name), flags).catch(() => null);
  if (handle === null) return null;
  const found = await handle.stat({ bigint: true });
  if (!found.isFile()) {
    await handle.close();
    return null;
  }
  return {
    ...{ handle, isFinal, contentType: mediaTypeOf(name) },
    size: Number(found.size),
    modifiedAt: Number(found.mtimeMs),
    entityTag: `"${found.size.toString(36)}-${found.mtimeNs.toString(36)}"`,
  };
}
