/** Finds out that the program on disk is no longer the one that runs. */

/**
 * Why no process may be started beside those of this release, as a sentence; `null` = the files are still its own.
 * @param running the version that this process started with.
 * @param onDisk reads that of the files; throws when it cannot.
 */
export function otherRelease(running: string, onDisk: () => string): string | null {
  const found = read(onDisk);
  if (found === running) return null;
  return `this is Pompa ${running}, and its folder has ${found ?? 'no package.json that can be read'}: restart the service`;
}

function read(onDisk: () => string): string | null {
  try {
    return onDisk();
  } catch {
    return null;
  }
}
