/** The seven networks of the simulated country: names, size, reporting habits, price position. */
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';

export type NetworkId = 'PETROM' | 'OMV' | 'ROMPETROL' | 'LUKOIL' | 'MOL' | 'SOCAR' | 'GAZPROM';

/** An operator's product: the operator's own code, which is not a global key, and its name. */
type Product = { readonly code: string; readonly name: string; readonly specs?: string };

export type NetworkProfile = {
  /** The register's key; in lower case it is our slug. */
  readonly id: NetworkId;
  /** The long name in answers. */
  readonly name: string;
  /** Stations in the country, and in Bucharest (77 together, so that the cap of 50 bites; each below 50). */
  readonly stations: number;
  readonly inBucharest: number;
  /** Share of stations that sell LPG. */
  readonly lpgShare: number;
  /**
   * Stations report once a day between these minutes of the Bucharest day, never in the hour in which clocks change.
   */
  readonly reportMinutes: readonly [from: number, to: number];
  /** Whole days a report waits before the register shows it. */
  readonly lagDays: number;
  /** Distance from the country's level for petrol, diesel and LPG; what premium costs above standard. */
  readonly priceOffsets: Readonly<Record<RoadFuel, MilliPrice>>;
  readonly products: Readonly<Record<RoadFuel, Product>>;
};

const priceOffsetsOf = (
  petrol: MilliPrice,
  petrolPremium: MilliPrice,
  diesel: MilliPrice,
  dieselPremium: MilliPrice,
  lpg: MilliPrice,
) => ({
  petrol,
  petrol_premium: petrolPremium,
  diesel,
  diesel_premium: dieselPremium,
  lpg,
});

const OMV_PETROM_SPECS = 'Carburant de calitate, respecta normele de emisie Euro 5. Date simulate.';

/** Names, codes and spreads follow recordings of April and June 2026; what was not recorded is made up. */
export const SIMULATED_NETWORKS: readonly NetworkProfile[] = [
  {
    id: 'PETROM',
    name: 'PETROM',
    stations: 390,
    inBucharest: 23,
    lpgShare: 0.06,
    reportMinutes: [1200, 1230],
    lagDays: 0,
    priceOffsets: priceOffsetsOf(-40, 620, -140, 790, -40),
    products: {
      petrol: { code: '02', name: 'Benzina Standard 95 / Benzina 95', specs: OMV_PETROM_SPECS },
      petrol_premium: { code: '03', name: 'Benzina Extra 99', specs: OMV_PETROM_SPECS },
      diesel: { code: '15', name: 'Motorina Standard', specs: OMV_PETROM_SPECS },
      diesel_premium: { code: '16', name: 'Motorina Extra', specs: OMV_PETROM_SPECS },
      lpg: { code: '41', name: 'GPL Auto' },
    },
  },
  {
    id: 'OMV',
    name: 'OMV',
    stations: 150,
    inBucharest: 12,
    lpgShare: 0.08,
    reportMinutes: [1205, 1240],
    lagDays: 0,
    priceOffsets: priceOffsetsOf(80, 640, -50, 830, 20),
    products: {
      petrol: { code: '05', name: 'MaxxMotion 95', specs: OMV_PETROM_SPECS },
      petrol_premium: { code: '06', name: 'MaxxMotion 100plus', specs: OMV_PETROM_SPECS },
      diesel: { code: '17', name: 'MaxxMotion Diesel', specs: OMV_PETROM_SPECS },
      diesel_premium: { code: '18', name: 'MaxxMotion Diesel plus', specs: OMV_PETROM_SPECS },
      lpg: { code: '42', name: 'GPL Auto' },
    },
  },
  {
    id: 'ROMPETROL',
    name: 'Rompetrol',
    stations: 235,
    inBucharest: 12,
    lpgShare: 0.24,
    reportMinutes: [5, 45],
    lagDays: 0,
    priceOffsets: priceOffsetsOf(-70, 700, 90, 820, 10),
    products: {
      petrol: { code: '31EFX10B00', name: 'Efix Benzina 95', specs: 'EFIX 95 GASOLINE. Date simulate.' },
      petrol_premium: { code: '32EFX10B00', name: 'Efix S Benzina 98', specs: 'EFIX S 98 GASOLINE. Date simulate.' },
      diesel: { code: '33EFX10B00', name: 'Efix Motorina 51', specs: '51 EFIX DIESEL. Date simulate.' },
      diesel_premium: { code: '34EFX10B00', name: 'Efix S Motorina 55', specs: '55 EFIX S DIESEL. Date simulate.' },
      lpg: { code: '35GPL00000', name: 'GPL' },
    },
  },
  {
    id: 'LUKOIL',
    name: 'LUKOIL România S.R.L.',
    stations: 300,
    inBucharest: 14,
    lpgShare: 0.56,
    reportMinutes: [400, 640],
    lagDays: 0,
    priceOffsets: priceOffsetsOf(-50, 700, 90, 820, 0),
    products: {
      petrol: { code: '1', name: 'Benzina Ecto 95' },
      petrol_premium: { code: '2', name: 'Benzina Ecto 100' },
      diesel: { code: '3', name: 'Motorina Ecto' },
      diesel_premium: { code: '4', name: 'Motorina Ecto Plus' },
      lpg: { code: '5', name: 'GPL' },
    },
  },
  {
    id: 'MOL',
    name: 'MOL România Petroleum Products',
    stations: 240,
    inBucharest: 11,
    lpgShare: 0.42,
    reportMinutes: [1330, 1370],
    lagDays: 0,
    priceOffsets: priceOffsetsOf(60, 630, 60, 800, 30),
    products: {
      petrol: {
        code: '24',
        name: 'BENZINA EVO 95',
        specs: 'Benzina fara plumb, cf. SR EN 228. Date simulate.',
      },
      petrol_premium: { code: '25', name: 'BENZINA EVO 100 PLUS' },
      diesel: { code: '22', name: 'MOTORINA EVO D', specs: 'Motorina cf. SR EN 590. Date simulate.' },
      diesel_premium: { code: '23', name: 'MOTORINA EVO D PLUS' },
      lpg: { code: '26', name: 'GPL AUTOGAZ' },
    },
  },
  {
    id: 'SOCAR',
    name: 'SOCAR',
    stations: 65,
    inBucharest: 4,
    lpgShare: 0.14,
    reportMinutes: [720, 750],
    lagDays: 0,
    priceOffsets: priceOffsetsOf(30, 800, 60, 960, 40),
    products: {
      petrol: { code: 'N95', name: 'NANO 95' },
      petrol_premium: { code: 'N98', name: 'NANO 98' },
      diesel: { code: 'ND', name: 'NANO Diesel' },
      diesel_premium: { code: 'NSD', name: 'NANO Super Diesel' },
      lpg: { code: 'LPG', name: 'GPL' },
    },
  },
  {
    id: 'GAZPROM',
    name: 'Gazprom Petrol Stations',
    stations: 20,
    inBucharest: 1,
    lpgShare: 0.15,
    reportMinutes: [590, 620],
    // Recorded on 26 April 2026, before noon: every Gazprom station still dated the 24th.
    lagDays: 1,
    priceOffsets: priceOffsetsOf(-20, 860, -60, 1000, 10),
    products: {
      petrol: { code: 'EBMB95', name: 'Euro BMB 95' },
      petrol_premium: { code: 'G100', name: 'G-Drive 100' },
      diesel: { code: 'EDIZEL', name: 'Euro Diesel' },
      diesel_premium: { code: 'OPTID', name: 'OPTI Diesel' },
      lpg: { code: 'TNG', name: 'GPL' },
    },
  },
];

const BY_ID = new Map(SIMULATED_NETWORKS.map((network) => [network.id, network]));

/** The habits of a network. */
export function networkProfile(id: NetworkId): NetworkProfile {
  return BY_ID.get(id) as NetworkProfile;
}
