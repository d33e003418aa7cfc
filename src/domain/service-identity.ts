/** What the service is called, and whom its data credit: what an operator changes who offers it under another name. */

export const SERVICE_NAME = 'Pompa';

/** The licence of the data, named in every response and on every page. */
export const LICENCE = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' } as const;

/** The credit that the licences of our source data require. */
export const DATA_CREDIT = 'Contains GeoNames data, CC BY 4.0';

/** Whose German postcodes our list comes from, as its licence demands, and where that stands. */
export const POSTCODES_CREDIT = {
  credit: '© OpenStreetMap contributors, ODbL',
  url: 'https://www.openstreetmap.org/copyright',
} as const;

/** The source of the German prices, their licence, and the address to credit. */
export const GERMAN_SOURCE = {
  credit: 'Tankerkönig (MTS-K), CC BY 4.0',
  url: 'https://creativecommons.tankerkoenig.de',
} as const;
