/** Whether a form was posted by one of our own pages. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Browsers say where a form comes from: in `Sec-Fetch-Site`, the older ones in the header Origin. A client that sends
 * neither is no browser, so nobody's browser is being misused.
 *
 * @param publicUrl the address of the service, besides the one in `Host`.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  // `none` = the visitor's own doing, such as sending the form again.
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const from = URL.parse(origin);
  return from !== null && (from.host === host || from.origin === new URL(publicUrl).origin);
}
