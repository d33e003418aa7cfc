/** The words of the feed of changes. */
import type { ChangeKind, ServedChange } from '../../domain/changes/served-change.ts';
import type { PriceReason, ServedPrice } from '../../domain/changes/served-price.ts';
import { isoInstant } from '../../domain/days.ts';
import type { Fuel } from '../../domain/fuel.ts';
import { FUEL_CODE, fuelOfCode } from '../../domain/fuel-codes.ts';
import type { CHANGE_CODES, ChangeJson } from './change-schemas.ts';
import { DOUBT_CODE, MISSING_CODE, observedAt, toRon } from './contract.ts';

type ChangeCode = (typeof CHANGE_CODES)[number];

/** What kind of change it is. */
export const CHANGE_CODE = {
  price: 'pret',
  withdrawn: 'retras',
  returned: 'revenit',
  flag: 'steag',
  'station added': 'statie_noua',
  'station removed': 'statie_disparuta',
} as const satisfies Record<ChangeKind, ChangeCode>;

/** Why a price is doubtful or missing. */
const REASON_CODE = { ...MISSING_CODE, ...DOUBT_CODE } as const;

/** `modificari[]`; `toldAt` is epoch ms. */
export function changeRecord(change: ServedChange & { readonly toldAt: number }, cursor: string): ChangeJson {
  const { station, fuel, kind, before, after, source, observed, toldAt } = change;
  return {
    cursor,
    fel: CHANGE_CODE[kind],
    statie_id: station,
    tip: fuel === null ? null : FUEL_CODE[fuel],
    pret_vechi: toRon(before.price),
    pret_nou: toRon(after.price),
    motiv_vechi: reasonCode(before.reason),
    motiv: reasonCode(after.reason),
    sursa: source,
    observat_la: observedAt(observed),
    vazut_la: isoInstant(toldAt),
  };
}

/** What a record tells, read back; of its source, only the words of the record remain. */
export function changeOf({ fel, statie_id: station, tip, vazut_la, ...prices }: ChangeJson) {
  const { pret_vechi, motiv_vechi, pret_nou, motiv } = prices;
  return {
    ...{ station, at: Date.parse(vazut_la), kind: KIND_OF.get(fel) as ChangeKind },
    fuel: tip === null ? null : (fuelOfCode(tip) as Fuel),
    before: servedPrice(pret_vechi, motiv_vechi),
    after: servedPrice(pret_nou, motiv),
  };
}

function servedPrice(price: number | null, reason: ChangeJson['motiv']): ServedPrice {
  return {
    price: price === null ? null : Math.round(price * 1000),
    reason: reason === null ? null : (REASON_OF.get(reason) as PriceReason),
  };
}

const KIND_OF = new Map(Object.entries(CHANGE_CODE).map(([kind, code]) => [code, kind as ChangeKind]));
const REASON_OF = new Map(Object.entries(REASON_CODE).map(([reason, code]) => [code, reason as PriceReason]));

const reasonCode = (reason: PriceReason | null) => (reason === null ? null : REASON_CODE[reason]);
