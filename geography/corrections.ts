import type { SourcePlace } from './source-place.ts';

type Correction = Partial<Pick<SourcePlace, 'name' | 'population'>>;

/**
 * Corrections of GeoNames, by GeoNames id. Names: official spelling. Populations: GeoNames gives the seat of a unit 0
 * or a fragment, so that a village would represent the town; the figure is the register's for the unit (`populatie`)
 * or, where noted, the census of 2011.
 */
export const CORRECTIONS: Readonly<Record<number, Correction>> = {
  683506: { name: 'București' },
  668605: { name: 'Roșiori de Vede' },
  685305: { name: 'Bascov' },
  667706: { name: 'Șcheia' },
  677049: { name: 'Glodeanu Sărat' },
  679725: { name: 'Dârmănești' },
  678438: { name: 'Farcașa' },
  667005: { name: 'Sânmartin' },
  663192: { name: 'Văratec' },
  665247: { name: 'Țepeș Vodă' },
  663426: { name: 'Ștefan cel Mare' },
  662664: { name: 'Vităneștii de sub Măgură' },
  675391: { name: 'Isvoarele' },
  682680: { name: 'C.A. Rosetti' },
  677463: { name: 'Onești', population: 53_120 },
  681850: { population: 37_334 }, // Câmpulung AG
  678590: { population: 11_009 }, // Eforie
  668997: { population: 38_403 }, // Reghin: GeoNames gives it to the quarter Reghin-Sat
  665009: { population: 13_261 }, // Târgu Lăpuș
  682442: { population: 7_821 }, // Cehu Silvaniei
  681619: { population: 2_202 }, // Cârcea
  680676: { population: 2_834 }, // Corunca
  673150: { population: 77_997 }, // Călărași CL
  678050: { population: 24_941 }, // Florești CJ: otherwise a village of 7,500 would get the plain slug
  678283: { population: 4_969 }, // Fierbinți-Târg, census of 2011
  674697: { population: 9_833 }, // Liteni, the town: GeoNames has it on the village of the same name and county …
  674696: { population: 4_410 }, // … and the village's figure on the town
  666233: { population: 5_607 }, // Ștefănești BT, the town, likewise
  666217: { population: 1_264 }, // … and Ștefănești-Sat
  // Villages with a figure above that of their whole unit, which would then represent it: treated as unknown.
  680806: { population: 0 }, // Cormaia, of Sângeorz-Băi
  685026: { population: 0 }, // Berești-Sat, at the very point of Berești
  669904: { population: 0 }, // Popești, of Căteasca
  683535: { population: 0 }, // Bucovineni, of Vârfu Câmpului
  679258: { population: 0 }, // Dobreni, of Tătărăștii de Sus
  686524: { population: 0 }, // Albota de Jos, of Albota
  680721: { population: 0 }, // Cornu de Sus, of Cornu
};

/**
 * Names of communes, by SIRUTA code, that differ from their seat's and their largest village's, where two villages need
 * them to be told apart.
 */
export const COMMUNE_NAMES: Readonly<Record<number, string>> = {
  17913: 'Poienarii de Argeș',
  17968: 'Poienarii de Muscel',
  170220: 'Golești',
};

/** Rows that repeat another row: `Bucuresti` beside `Bucharest`, and Bucium AB twice in one commune. */
export const DUPLICATE_ROWS: ReadonlySet<number> = new Set([6691781, 683577]);

/** Towns missing from the GeoNames extract. Facts: coordinates of the town hall area, population of the unit. */
export const MISSING_TOWNS: readonly SourcePlace[] = [
  {
    id: 0,
    name: 'Toplița',
    county: 'HR',
    lat: 46.9243,
    lng: 25.3519,
    siruta: 83632,
    population: 16_129,
    seat: true,
    alternates: ['Maroshévíz'],
  },
  {
    id: 1,
    name: 'Ocnele Mari',
    county: 'VL',
    lat: 45.0875,
    lng: 24.2997,
    siruta: 168130,
    population: 3_309,
    seat: true,
    alternates: [],
  },
];
