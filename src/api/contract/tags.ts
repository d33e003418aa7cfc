/** The sections that group the endpoints in the OpenAPI document. */
export const API_TAGS = {
  prices: 'Prices',
  stations: 'Stations',
  changes: 'Changes',
  places: 'Places',
  reviews: 'Reviews',
  push: 'Push',
  germany: 'Germany',
  account: 'Account',
  webhooks: 'Webhooks',
  service: 'Service',
} as const;
