/** Every tool that the service offers, in the order in which clients list them. */
import type { Tool } from '../call/tool.ts';
import { alongRoute } from './along-route-tool.ts';
import { changesSince } from './changes-since-tool.ts';
import { cheapestNear } from './cheapest-near-tool.ts';
import { cityPrices } from './city-prices-tool.ts';
import { isItCheapNow } from './is-it-cheap-now-tool.ts';
import { nationalPrices } from './national-prices-tool.ts';
import { priceHistory } from './price-history-tool.ts';
import { whyThisPrice } from './why-this-price-tool.ts';

export const TOOLS: readonly Tool[] = [
  cheapestNear,
  alongRoute,
  nationalPrices,
  cityPrices,
  priceHistory,
  isItCheapNow,
  whyThisPrice,
  changesSince,
];
