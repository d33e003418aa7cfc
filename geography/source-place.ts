/** A populated place from GeoNames, corrected. `seat` = it is the seat of its administrative unit. */
export type SourcePlace = {
  id: number;
  name: string;
  county: string;
  lat: number;
  lng: number;
  siruta: number | null;
  population: number;
  seat: boolean;
  alternates: string[];
};
