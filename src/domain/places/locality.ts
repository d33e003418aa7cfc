/** A town or village of Romania. Source: GeoNames, corrected by `geography/build.ts`. */
export type Locality = {
  /** Official name, with diacritics. */
  readonly name: string;
  /** The same name in ASCII, as the public contract writes it. */
  readonly ascii: string;
  /** Unique among all localities. */
  readonly slug: string;
  /** Plate code of the county. */
  readonly county: string;
  /** WGS84 degrees. */
  readonly lat: number;
  readonly lng: number;
  /** Inhabitants; 0 where GeoNames has no number: such a place ranks last. */
  readonly population: number;
  /** SIRUTA code of its administrative unit (town or commune): the register's `uatid`. */
  readonly siruta: number | null;
  /** Other names that find it, folded. */
  readonly alternates: readonly string[];
  /** The commune it belongs to, only where another place has the same name in the same county. */
  readonly commune?: string;
};
