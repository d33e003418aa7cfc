/** Clients' addresses, as a trusted proxy in front of the service would name them. */

/** The setting by which a service believes what is said on loopback. */
export const TRUST_LOOPBACK = { TRUSTED_PROXIES: '127.0.0.0/8' };

let issued = 0;

/** An address that this process has given to nobody yet. */
export function newAddress(): string {
  issued += 1;
  return `10.${(issued >> 16) & 255}.${(issued >> 8) & 255}.${issued & 255}`;
}
