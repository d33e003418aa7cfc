/** Which answers pages of other origins may read: those to every GET except what is about a key; to no other method. Rule 16. */
import { decodePath, originForm, splitTarget } from './request-target.ts';

/** The status of a key, and below it what its holder owns: keys stay server-side, so no page may read it, refusals included. */
export const KEY_PATH = '/api/v1/cheie';

/** Whether a page of another origin may read the answer to a request, whatever the answer is. */
export function corsAllowed(method: string | undefined, target: string | undefined): boolean {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false;
  const path = decodePath(splitTarget(originForm(target ?? '')).path);
  return path !== KEY_PATH && !path.startsWith(`${KEY_PATH}/`);
}
