/** Client addresses, as a trusted proxy in front of the service sends them. */

/** The setting that makes a service trust proxies on loopback. */
export const TRUST_LOOPBACK = { TRUSTED_PROXIES: '127.0.0.0/8' };

/** An address in a /64 of its own of the /48 `2001:db8:<network>`; `n` up to 65,535. */
export const neighbour = (network: number, n: number): string =>
  `2001:db8:${network.toString(16)}:${n.toString(16)}::1`;

let issued = 0;

/** An address that this process has not handed out yet. */
export function newAddress(): string {
  issued += 1;
  return `10.${(issued >> 16) & 255}.${(issued >> 8) & 255}.${issued & 255}`;
}
