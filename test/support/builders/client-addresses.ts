/** Client addresses, as a trusted proxy in front of the service sends them. */

/** The setting that makes a service trust proxies on loopback. */
export const TRUST_LOOPBACK = { TRUSTED_PROXIES: '127.0.0.0/8' };

let issued = 0;

/** An address that this process has not handed out yet. */
export function newAddress(): string {
  issued += 1;
  return `10.${(issued >> 16) & 255}.${(issued >> 8) & 255}.${issued & 255}`;
}
