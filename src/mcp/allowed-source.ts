/** Where a message may come from: against pages that use a visitor's browser, DNS rebinding included. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isFromOwnPage } from '../api/request/own-page.ts';

/**
 * Whether the header Host names this service, and Origin, if there is one, its own pages. A page that rebinds its name
 * to our address still sends its name; an address, which nobody can rebind, is always ours.
 *
 * @param publicUrl the address of the service
 */
export function isAllowedSource(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
  const isOurs = isAddress || name === 'localhost' || name === new URL(publicUrl).hostname;
  return isOurs && isFromOwnPage(headers, publicUrl);
}
