/** Says in a sentence why an address cannot be listened on. */

/** An error of binding or listening as a sentence that names the address and what would be right. */
export function listenError({ host, port }: { host: string; port: number }, error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new Error(`cannot listen on ${host}:${port}: ${REASONS[code] ?? message}`, { cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process uses this address; set PORT to a free port',
  EACCES: 'this user may not use this port; set PORT to one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; set HOST to one of its own',
  ENOTFOUND: 'unknown host name; set HOST to an address of this machine',
};
