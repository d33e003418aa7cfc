/** The parts that the OpenAPI document is ordered by. */
export const API_TAGS = {
  prices: 'Prices',
  stations: 'Stations',
  places: 'Places',
  reviews: 'Reviews',
  push: 'Push',
  germany: 'Germany',
  account: 'Account',
  service: 'Service',
} as const;
