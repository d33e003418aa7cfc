/** Addresses that a program of this machine listens on. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { httpOrigin } from '../../../config/config.ts';
import { isLoopback } from '../../../config/parse.ts';

/** Whether what listens there listens on all addresses of the machine. */
export function isAnyAddress(host: string): boolean {
  return ['0.0.0.0', '::'].includes(host);
}

export function isOnLoopback(host: string): boolean {
  const url = URL.parse(httpOrigin(host, 0));
  return url !== null && isLoopback(url);
}

/** Whether it is an IP address that no interface of this machine has; of a name nothing is known. */
export function isOfAnotherMachine(host: string): boolean {
  if (isIP(host) === 0 || isAnyAddress(host) || isOnLoopback(host)) return false;
  return !ownAddresses().includes(host);
}

/** Where this machine reaches what listens on it. */
export function ownAddress(host: string): string {
  if (!isAnyAddress(host)) return host;
  return host.includes(':') ? '::1' : '127.0.0.1';
}

/** Those of its interfaces. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((some) => (some ?? []).map(({ address }) => address));
}
