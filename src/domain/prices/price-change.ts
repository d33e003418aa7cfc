/** What a source changed about one price, as the dumps of changes tell it. */
import type { Fuel, MilliPrice } from '../fuel.ts';

export type PriceChange = {
  /** When the change was seen, epoch ms. */
  readonly at: number;
  readonly station: string;
  readonly fuel: Fuel;
  readonly source: string;
  /** `null`: the source had no usable price of it before, or has none now. They differ. */
  readonly before: MilliPrice | null;
  readonly after: MilliPrice | null;
  /** Whether the source had never told anything of this fuel at this station. */
  readonly isFirst: boolean;
  /** The day that the source gives for its price; `null` = it gives none. */
  readonly observedDay: string | null;
};
