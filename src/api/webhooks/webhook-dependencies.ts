/** What the endpoints of webhooks need. */

import type { ChangeFeed } from '../changes/change-feed.ts';
import type { PlaceLookup } from '../request/named-cities.ts';
import type { WebhookLimits } from './webhook-limits.ts';
import type { WebhookService } from './webhook-service.ts';

export type WebhookDependencies = {
  readonly service: WebhookService;
  readonly limits: WebhookLimits;
  /** Origins that the operator allows although they are private or without TLS. */
  readonly allowedOrigins: readonly string[];
};

export type WebhookEndpointDependencies = WebhookDependencies & {
  readonly feed: Pick<ChangeFeed, 'placeOf'>;
  readonly places: PlaceLookup;
};
