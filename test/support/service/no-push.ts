import type { ApiOptions } from '../../../src/api/http/api-server.ts';

/** Push that is not configured and stores nothing. */
export const NO_PUSH: ApiOptions['push'] = { publicKey: null, hosts: [], save: () => Promise.resolve('unavailable') };

/** Push with a public key, which also stores nothing. */
export const PUSH_WITH_PUBLIC_KEY: ApiOptions['push'] = { ...NO_PUSH, publicKey: 'B'.repeat(87) };
