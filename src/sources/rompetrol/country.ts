/** Decides which stations are in Romania: Rompetrol's list mixes Romania and Bulgaria without naming the country. */
import { foldName } from '../../domain/places/place-names.ts';
import { isNearRomania } from '../feed/station-coordinates.ts';
import type { ProductItem } from './infowindow.ts';

const COUNTIES = new Set(
  `alba|arad|arges|bacau|bihor|bistrita nasaud|botosani|braila|brasov|bucuresti|buzau|calarasi|caras severin|cluj|
  constanta|covasna|dambovita|dolj|galati|giurgiu|gorj|harghita|hunedoara|ialomita|iasi|ilfov|maramures|mehedinti|
  mures|neamt|olt|prahova|salaj|satu mare|sibiu|suceava|teleorman|timis|tulcea|valcea|vaslui|vrancea`.split(/\|\s*/),
);

export type CountryEvidence = {
  readonly items: readonly ProductItem[];
  readonly county: string;
  readonly point: { readonly lat: number; readonly lng: number } | null;
};

/**
 * Whether the station is in Romania: its currency decides, else its county, else its coordinates; without any of them
 * it is not.
 */
export function isRomanian({ items, county, point }: CountryEvidence): boolean {
  if (items.some(({ price }) => price.kind === 'ron')) return true;
  if (items.some(({ price }) => price.kind === 'other_currency')) return false;
  if (county !== '') return COUNTIES.has(foldName(county).replace(/^(?:judetul|judet|jud|municipiul) /, ''));
  return point !== null && isNearRomania(point);
}
