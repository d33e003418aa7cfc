/** The part of an address that names a station's page: `<brand>-<city>-<id>`. Rule 36. */

type Sluggable = { readonly id: string; readonly city: string; readonly network: { readonly slug: string } };

const ID_LENGTH = 12;

/** The slug of a station as it is spelled now; a station without a known city has none in its slug. */
export function stationSlug({ id, city, network }: Sluggable): string {
  const place = city
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return [network.slug, place, id].filter((part) => part !== '').join('-');
}

/** The station that a slug means: its last 12 hex decide, so that older spellings stay valid. `null` = it means none. */
export function stationIdOf(slug: string): string | null {
  const id = slug.slice(-ID_LENGTH).toLowerCase();
  return /^[0-9a-f]{12}$/.test(id) ? id : null;
}

/** A station that does not exist, for examples. */
export const EXAMPLE_STATION = { id: '0a1b2c3d4e5f', slug: 'petrom-cluj-napoca-0a1b2c3d4e5f' } as const;
