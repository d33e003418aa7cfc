/** The part of an address that names a station's page: `<brand>-<city>-<id>`. Rule 36. */

type Sluggable = { readonly id: string; readonly city: string; readonly network: { readonly slug: string } };

const ID_LENGTH = 12;

/** A station's current slug; the city is left out if it is unknown. */
export function stationSlug({ id, city, network }: Sluggable): string {
  const place = city
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return [network.slug, place, id].filter((part) => part !== '').join('-');
}

/** The station id in a slug: its last 12 hex digits decide, so older spellings stay valid. `null` = there is none. */
export function stationIdOf(slug: string): string | null {
  const id = slug.slice(-ID_LENGTH).toLowerCase();
  return /^[0-9a-f]{12}$/.test(id) ? id : null;
}

/** A station that does not exist, for examples. */
export const EXAMPLE_STATION = { id: '0a1b2c3d4e5f', slug: 'petrom-cluj-napoca-0a1b2c3d4e5f' } as const;
