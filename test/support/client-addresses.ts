/** Clients' addresses, as a trusted proxy in front of the service would name them. */

/** The setting by which a service believes what is said on loopback. */
export const BEHIND_LOOPBACK = { TRUSTED_PROXIES: '127.0.0.0/8' };

let given = 0;

/** An address that this process has given to nobody yet. */
export function newAddress(): string {
  given += 1;
  return `10.${(given >> 16) & 255}.${(given >> 8) & 255}.${given & 255}`;
}
