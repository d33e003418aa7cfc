/** The demo that the tests in browsers visit: the simulated country, with its fixed seed. */

/** The environment variable with its address, which `global-setup.ts` sets. */
export const SITE_VARIABLE = 'POMPA_TEST_SITE';

/** Likewise, of the service with the same data that search engines may list. */
export const INDEXED_SITE_VARIABLE = 'POMPA_TEST_INDEXED_SITE';

/** The address of the demo, without a slash at its end. */
export const siteAddress = (): string => addressIn(SITE_VARIABLE);

/** The address of the site as search engines see it: without the notice that its data are simulated. */
export const indexedSiteAddress = (): string => addressIn(INDEXED_SITE_VARIABLE);

function addressIn(variable: string): string {
  const address = process.env[variable];
  if (address === undefined) throw new Error(`${variable} is not set: start the tests with scripts/browser-tests`);
  return address;
}

/**
 * A random address of the documentation range (RFC 3849): each visitor has its own, and none meets another's limits.
 */
export function newClientAddress(): string {
  const groups = [...crypto.getRandomValues(new Uint16Array(2))].map((group) => group.toString(16));
  return `2001:db8:${groups.join(':')}::1`;
}

/** A record of `/api/v1/statii`: the price of one fuel at one station. */
export type StationRecord = {
  readonly id: string;
  readonly brand: string;
  readonly tip: string;
  readonly pret: number;
  readonly nesigur?: true;
  readonly distanta_km: number;
  readonly lat: number;
  readonly lng: number;
};

/** The records around a point, as the API has them at this moment; a client without a key gets the nearest 150. */
export async function stationsAround(
  { lat, lng }: { readonly lat: number; readonly lng: number },
  radiusKm: number,
  fuel: string,
): Promise<readonly StationRecord[]> {
  const query = new URLSearchParams({ lat: `${lat}`, lon: `${lng}`, raza: `${radiusKm}`, tip: fuel });
  return (await readJson<{ statii: StationRecord[] }>(`/api/v1/statii?${query}`)).statii;
}

/** The answer of a JSON address of the demo, as of this moment. */
export async function readJson<T>(path: string): Promise<T> {
  const response = await fetch(siteAddress() + path, { headers: { 'X-Forwarded-For': newClientAddress() } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** A price in lei as a Romanian page writes it: `9,59`. */
export function priceText(lei: number): string {
  return lei.toFixed(2).replace('.', ',');
}
