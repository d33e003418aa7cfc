/** Station ids in each network's own pattern, as recorded by the register. */
import type { NetworkId } from './simulated-networks.ts';

const COUNTED: Readonly<Record<Exclude<NetworkId, 'ROMPETROL'>, { prefix: string; first: number; digits: number }>> = {
  PETROM: { prefix: 'R', first: 1001, digits: 4 },
  OMV: { prefix: 'R', first: 1001, digits: 4 },
  LUKOIL: { prefix: 'P', first: 1, digits: 3 },
  MOL: { prefix: 'J', first: 1, digits: 3 },
  GAZPROM: { prefix: 'A', first: 1, digits: 2 },
  SOCAR: { prefix: '', first: 11, digits: 2 },
};

/**
 * Gives ids in the order of the calls. Petrom and OMV share one number space; Rompetrol's name the county
 * (`041AL1` … `041ALZ`, `041B01` in Bucharest).
 */
export function createIdGenerator(): (network: NetworkId, county: string) => string {
  const given = new Map<string, number>();
  const count = (about: string): number => {
    const before = given.get(about) ?? 0;
    given.set(about, before + 1);
    return before;
  };
  return (network, county) => {
    if (network === 'ROMPETROL') return `041${county}${rompetrolNumber(county, count(`041${county}`) + 1)}`;
    const { prefix, first, digits } = COUNTED[network];
    return `${prefix}${String(first + count(`${prefix}#`)).padStart(digits, '0')}`;
  };
}

function rompetrolNumber(county: string, number: number): string {
  return county.length === 1 ? String(number).padStart(2, '0') : number.toString(36).toUpperCase();
}
