/** The prices of one place as other sites read them: what `/widget/oras/cluj-napoca.json` has. */

/** Fuels as Romanian addresses write them. */
export type FileFuel = 'benzina' | 'benzina-premium' | 'motorina' | 'motorina-premium' | 'gpl';

export type FilePrice = {
  /** Lei per litre: of a city the lowest, of the country the mean. */
  readonly pret: number;
  /** The station with that price, in the country with the lowest; `null` = none is known. */
  readonly statie: { readonly retea: string; readonly adresa: string; readonly pret: number } | null;
  /** The day on which the source saw the price of that station, `AAAA-LL-ZZ`; `null` = it does not say. */
  readonly observat: string | null;
};

export type PriceFile = {
  readonly fel: 'oras' | 'statie' | 'tara';
  readonly nume: { readonly ro: string; readonly en: string };
  /** The page about the place. */
  readonly pagina: { readonly ro: string; readonly en: string };
  /** The calendar day in Romania that the prices are of. */
  readonly data: string;
  /** When a source last delivered, ISO 8601; `null` = never. */
  readonly actualizat_la: string | null;
  readonly simulat: boolean;
  readonly sursa: string;
  readonly licenta: string;
  /** Trusted prices only; a fuel without one is left out. */
  readonly preturi: { readonly [Fuel in FileFuel]?: FilePrice };
};
