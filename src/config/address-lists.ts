/** Parses lists of addresses. Each parser throws a clause that describes a valid value. */
import { addressText, parseAddressAndPort } from '../domain/access/ip-address.ts';
import { NO_PROXIES, parseTrustedProxies, type TrustedProxies } from '../domain/access/trusted-proxies.ts';
import { BadValue } from './parse.ts';

/** Addresses and networks of proxies, such as `127.0.0.1, 10.0.0.0/8, fd00::/8`; empty = none. */
export function trustedProxies(text: string): TrustedProxies {
  if (text === '') return NO_PROXIES;
  const proxies = parseTrustedProxies(text);
  if ('problem' in proxies) throw new BadValue(proxies.problem);
  return proxies;
}

/** Name servers in the form of Node's resolver: `9.9.9.9:53`, `[2620:fe::fe]:53`. */
export function dnsServers(text: string): readonly string[] {
  return Object.freeze(text.split(',').map(dnsServer));
}

const DNS_PORT = 53;

function dnsServer(entry: string, at: number): string {
  const server = parseAddressAndPort(entry.trim());
  if (server === null || server.port === 0) {
    const shown = JSON.stringify(entry.trim().slice(0, 60));
    throw new BadValue(
      `must be IP addresses, with or without a port, such as 9.9.9.9 or [2620:fe::fe]:53; entry ${at + 1} is ${shown}`,
    );
  }
  const host = addressText(server.address);
  return `${server.address.family === 6 ? `[${host}]` : host}:${server.port ?? DNS_PORT}`;
}
