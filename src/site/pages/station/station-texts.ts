/** The texts of the page of a station, reviews apart. */
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { text } from '../../html/text.ts';
import type { PriceLevel, StationDetails } from './station-data.ts';

export const TEXTS = {
  description: text(
    (station: string, prices: string, place: string) => `Prețuri azi la ${station}: ${prices} lei pe litru${place}`,
    (station: string, prices: string, place: string) => `Prices now at ${station}: ${prices} lei per litre${place}`,
  ),
  withSources: text('; cu vechimea și sursa fiecărui preț', '; with the age and source of every price'),
  descriptionWithoutPrice: text(
    (station: string) =>
      `${station}: niciun preț de încredere acum; motivul, programul, drumul până acolo și recenzii.`,
    (station: string) => `${station}: no trusted price right now; the reason, opening hours, directions and reviews.`,
  ),
  descriptionPlace: text(
    (fuel: string, rank: string, city: string) => `, ${fuel} ${rank} în ${city}`,
    (fuel: string, rank: string, city: string) => `, ${fuel} ${rank} in ${city}`,
  ),
  rankShort: text(
    (rank: number, count: string) => `pe locul ${rank} din ${count}`,
    (rank: number, count: string) => `ranked ${rank} of ${count}`,
  ),
  prices: text('Prețurile acum', 'Prices now'),
  onlyHere: text(
    (city: string) => `singurul preț de încredere din ${city}`,
    (city: string) => `the only trusted price in ${city}`,
  ),
  cheapest: text(
    (prices: string, city: string) => `cel mai mic din ${prices} în ${city}`,
    (prices: string, city: string) => `the lowest of ${prices} in ${city}`,
  ),
  rank: text(
    (rank: number, count: string, city: string, over: string) =>
      `locul ${rank} din ${count} în ${city}, cu ${over} peste cel mai mic`,
    (rank: number, count: string, city: string, over: string) =>
      `ranked ${rank} of ${count} in ${city}, ${over} above the lowest`,
  ),
  level: {
    cheap: text('ieftin', 'cheap'),
    usual: text('obișnuit', 'usual'),
    dear: text('scump', 'expensive'),
  } satisfies Record<PriceLevel, LocalizedText>,
  levelMeaning: text(
    '„Ieftin” și „scump” compară cu orașul: cel puțin două treimi dintre celelalte benzinării sunt mai scumpe, respectiv mai ieftine.',
    '“Cheap” and “expensive” compare with the town: at least two thirds of its other stations charge more, or less.',
  ),
  notSold: text(
    (fuels: string) => `Nicio sursă nu spune că aici se vinde ${fuels}.`,
    (fuels: string) => `No source says that ${fuels} is sold here.`,
  ),
  or: text(' sau ', ' or '),
  origin: text('De unde vin prețurile', 'Where the prices come from'),
  method: text('Sursele și regulile pe larg', 'Sources and rules in full'),
  nearby: text('Mai ieftin pe aproape', 'Cheaper nearby'),
  noneNearby: text(
    (km: number) => `Pe o rază de ${km} km nicio benzinărie nu are un preț mai mic.`,
    (km: number) => `No station within ${km} km has a lower price.`,
  ),
  nearbyUnknown: text(
    'Nu se poate spune ce benzinării sunt pe aproape, pentru că poziția stației nu este cunoscută exact.',
    'The stations nearby cannot be told, because the exact position of this station is not known.',
  ),
  nearbyLead: text(
    (km: number) => `Cele mai ieftine stații în cel mult ${km} km, în linie dreaptă.`,
    (km: number) => `The cheapest stations within ${km} km as the crow flies.`,
  ),
  lower: text(
    (bani: string) => `cu ${bani} mai puțin`,
    (bani: string) => `${bani} less`,
  ),
  map: text(
    (fuel: string, station: string) => `Harta prețului ${fuel} în jurul stației ${station}`,
    (fuel: string, station: string) => `Map of the ${fuel} price around ${station}`,
  ),
  about: text('Despre stație', 'About the station'),
  network: text('Rețea', 'Network'),
  name: text('Nume', 'Name'),
  address: text('Adresă', 'Address'),
  hours: text('Program', 'Opening hours'),
  services: text('Servicii', 'Services'),
  phone: text('Telefon', 'Phone'),
  ownership: text('Administrare', 'Run by'),
  franchise: text('un francizat', 'a franchisee'),
  ownedByNetwork: text('rețeaua însăși', 'the network itself'),
  priceNote: text('Notă despre preț', 'Note on the price'),
  position: {
    exact: text('', ''),
    approximate: text(
      'Poziția este aproximativă: nicio sursă nu dă coordonatele stației.',
      'The position is approximate: no source gives coordinates.',
    ),
    suspect: text(
      'Poziția este îndoielnică: coordonatele date de sursă nu se potrivesc cu județul în care este declarată stația.',
      'The position is doubtful: the coordinates that the source gives do not fit the county in which the station is declared.',
    ),
  } satisfies Record<StationDetails['position'], LocalizedText>,
  byAddress: text(
    'De aceea linkurile caută adresa, nu punctul.',
    'The links therefore look for the address, not the point.',
  ),
  directions: text('Drumul până aici', 'Directions'),
  mapApp: text('Aplicația de hărți', 'Map app'),
};
