/** The parts that the OpenAPI document is ordered by. */
export const API_TAGS = {
  prices: 'Prices',
  stations: 'Stations',
  places: 'Places',
  service: 'Service',
} as const;
