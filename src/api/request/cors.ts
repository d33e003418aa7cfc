/** Which answers pages of other origins may read: those to every GET, unless it is about a key. Rule 16. */
import { pathOf } from './request-target.ts';

/** The status of a key, and what its holder owns below it: keys stay server-side, so no page may read any of it. */
export const KEY_PATH = '/api/v1/cheie';

/** Whether a page of another origin may read the answer to a request, whatever the answer is. */
export function corsAllowed(method: string | undefined, target: string | undefined): boolean {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false;
  const path = pathOf(target ?? '');
  return path !== KEY_PATH && !path.startsWith(`${KEY_PATH}/`);
}
