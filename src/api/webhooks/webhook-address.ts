/** Which addresses a webhook may have. Whether the name leads to a public network is checked again at each try. */
import { isIP } from 'node:net';
import { type AddressFault, MAX_URL_LENGTH } from '../../domain/webhooks/webhook.ts';

/** The address in its normal form, or what is wrong with it. `allowed` are origins of the operator's own choice. */
export function parseWebhookAddress(
  sent: string,
  allowed: readonly string[] = [],
): { readonly url: string } | { readonly fault: AddressFault } {
  const text = sent.trim();
  if (text.length > MAX_URL_LENGTH) return { fault: 'too long' };
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || url.hostname === '') return { fault: 'not an address' };
  if (url.href.length > MAX_URL_LENGTH) return { fault: 'too long' };
  if (url.username !== '' || url.password !== '') return { fault: 'credentials' };
  if (text.includes('#')) return { fault: 'fragment' };
  if (/^https?:$/.test(url.protocol) && allowed.includes(url.origin)) return { url: url.href };
  if (url.protocol !== 'https:') return { fault: 'not https' };
  if (url.port !== '') return { fault: 'port' };
  const fault = hostFault(url.hostname);
  return fault === null ? { url: url.href } : { fault };
}

/** Names that mean this machine or its network: no certificate authority vouches for them. Source: RFC 6761, 8375. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|home\.arpa|test|invalid|onion)\.?$/;

function hostFault(host: string): AddressFault | null {
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return 'ip';
  return !host.replace(/\.$/, '').includes('.') || LOCAL_NAME.test(host) ? 'not public' : null;
}
