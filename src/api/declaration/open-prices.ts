/**
 * The prices that need no key and have no limit. They are answered before the rest of the program is loaded, so this
 * imports no declarations.
 */
import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import { type Access, OPEN_ACCESS } from '../access/access-rules.ts';
import type { MissingAs } from '../contract/contract.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import { type Answer, ok } from '../response/answer.ts';

/** `/preturi`. With a key it has all cities, and a quota. */
export const CITY_PRICES = {
  operationId: 'getPrices',
  path: '/api/v1/preturi',
  access: { key: 'optional', quota: true, withoutKey: { weeklyCap: false, subset: ANONYMOUS_LIMITS.cities } },
  answer: (
    rendered: RenderedSnapshot,
    { county, missing, full }: { readonly county: string | null; readonly missing: MissingAs; readonly full: boolean },
  ): Answer => ok(rendered.cities({ county, missing, full })),
} as const satisfies { readonly access: Access; readonly [property: string]: unknown };

/** `/preturi/minime`. */
export const NATIONAL_PRICES = {
  operationId: 'getNationalPrices',
  path: '/api/v1/preturi/minime',
  access: OPEN_ACCESS,
  answer: (rendered: RenderedSnapshot, missing: MissingAs): Answer => ok(rendered.national(missing)),
} as const;
