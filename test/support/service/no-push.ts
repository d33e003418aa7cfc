import type { ApiOptions } from '../../../src/api/http/server.ts';

/** Push that is not configured and keeps nothing. */
export const NO_PUSH: ApiOptions['push'] = { publicKey: null, hosts: [], save: () => Promise.resolve('unavailable') };

/** Push with a key to tell, that keeps nothing all the same. */
export const PUSH_WITH_PUBLIC_KEY: ApiOptions['push'] = { ...NO_PUSH, publicKey: 'B'.repeat(87) };
