/** What a client makes of the feed: the records of `/statii`, kept by applying changes. */
import assert from 'node:assert/strict';
import type { ChangeJson } from '../../../src/api/contract/change-schemas.ts';
import { MISSING_CODE, stationRecord } from '../../../src/api/contract/contract.ts';
import type { StationRecord } from '../../../src/snapshot/snapshot.ts';

/** `price reason` by `station fuel`, as in the words of the contract. */
export type FoldedFeed = Map<string, string>;

type RecordJson = ReturnType<typeof stationRecord>;

/** What the records of `/statii` say, as a client reads them. */
export function stateOfRecords(records: readonly RecordJson[]): FoldedFeed {
  return new Map(records.map((record) => [`${record.id} ${record.tip}`, `${record.pret} ${reasonOf(record)}`]));
}

export const stateOfSnapshot = ({ records }: { readonly records: readonly StationRecord[] }): FoldedFeed =>
  stateOfRecords(records.map(stationRecord));

/** The feed tells more of a record without a price than `/statii` does: its reasons count as one. */
function reasonOf({ pret, motiv_nesigur, pret_expirat, pret_incoerent }: RecordJson): string {
  if (pret !== null) return motiv_nesigur ?? 'null';
  if (pret_expirat) return MISSING_CODE.expired;
  return pret_incoerent ? MISSING_CODE.incoherent : 'none';
}

const told = (price: number | null, reason: string | null): string =>
  price !== null || reason === MISSING_CODE.expired || reason === MISSING_CODE.incoherent
    ? `${price} ${reason}`
    : 'null none';

/** The `motiv` told last of each record, `station fuel`: more than the state says of one without a price. */
export type ToldReasons = Map<string, string | null>;

/**
 * Applies changes. With `isExact` each must continue from the state: its before is what is there; without, the state
 * may have some of them already. With `reasons` each must also continue from the reason told last.
 */
export function fold(
  state: FoldedFeed,
  changes: readonly ChangeJson[],
  { isExact, reasons }: { isExact: boolean; reasons?: ToldReasons },
): void {
  for (const change of changes) {
    const name = `${change.statie_id} ${change.tip}`;
    if (reasons?.has(name)) assert.equal(change.motiv_vechi, reasons.get(name), `reason ${JSON.stringify(change)}`);
    reasons?.set(name, change.motiv);
    const stations = () => [...state.keys()].filter((key) => key.startsWith(change.statie_id));
    if (change.tip === null) {
      if (isExact) assert.deepEqual(stations(), [], `${change.fel} where the station has records`);
      continue;
    }
    const before = change.motiv_vechi === MISSING_CODE.unsold ? undefined : told(change.pret_vechi, change.motiv_vechi);
    if (isExact) assert.equal(state.get(name), before, `before ${JSON.stringify(change)}`);
    if (change.motiv === MISSING_CODE.unsold) state.delete(name);
    else state.set(name, told(change.pret_nou, change.motiv));
  }
}
