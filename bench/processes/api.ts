/** The API over a made-up country, in its own process; a second server answers as for a key. No limits apply. */

import type { KnownKey } from '../../src/store/keys/key-queries.ts';
import { SOME_KEY } from '../../test/support/service/open-access.ts';
import { benchApis } from './bench-api.ts';

export type ApiPorts = { readonly open: number; readonly keyed: number };

const createApi = benchApis(Number(process.argv[2]));
const [open, keyed] = await Promise.all([listen(null), listen(SOME_KEY)]);
process.send?.({ open, keyed } satisfies ApiPorts);
process.once('SIGTERM', () => process.exit());

async function listen(key: KnownKey | null): Promise<number> {
  const api = await createApi(key);
  return (await api.listen({ host: '127.0.0.1', port: 0 })).port;
}
