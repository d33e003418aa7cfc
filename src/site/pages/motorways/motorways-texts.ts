/** The texts of the page of the motorways. */
import type { Language } from '../../../domain/localized-text.ts';

type Text<T> = Readonly<Record<Language, T>>;
const text = <T>(ro: T, en: T): Text<T> => ({ ro, en });

export const TEXTS = {
  country: text('România', 'Romania'),
  heading: text('Cât costă în plus carburantul pe autostradă', 'What fuel costs on motorways'),
  title: text(
    'Prețul carburanților pe autostrăzile din România, azi',
    'Fuel prices on the motorways of Romania today, by station',
  ),
  dearer: text(
    (bani: string) => `Carburanți pe autostradă azi: motorina cu ${bani} mai scumpă`,
    (bani: string) => `Motorway fuel in Romania today: diesel costs ${bani} more`,
  ),
  cheaper: text(
    (bani: string) => `Carburanți pe autostradă azi: motorina cu ${bani} mai ieftină`,
    (bani: string) => `Motorway fuel in Romania today: diesel costs ${bani} less`,
  ),
  lead: text(
    (stations: string, roads: string) =>
      `Prețurile de azi la ${stations} de pe ${roads}, față de localitățile apropiate.`,
    (stations: string, roads: string) => `Today’s prices at ${stations} on ${roads}, against the nearest towns.`,
  ),
  description: text(
    (stations: string, roads: string) =>
      `Prețul carburanților la ${stations} de pe ${roads}, față de media localităților apropiate, cu diferența în bani și la un plin.`,
    (stations: string, roads: string) =>
      `Fuel prices at ${stations} on ${roads}, against the mean of the nearest towns, with the difference in bani and for a full tank.`,
  ),
  emptyDescription: text(
    'Prețurile carburanților pe autostrăzile din România, față de media localităților apropiate.',
    'Fuel prices on the motorways of Romania against the mean of the nearest towns.',
  ),
  none: text(
    'Acum nu este cunoscută nicio benzinărie cu adresă pe autostradă.',
    'No station with an address on a motorway is known now.',
  ),
  notComparable: text(
    'Niciun preț de încredere de aici nu se poate compara acum cu cele din localitățile apropiate.',
    'No trusted price here can be compared with those of the nearest towns now.',
  ),
  how: text(
    (towns: number, km: number) =>
      `Fiecare benzinărie se compară cu media prețurilor din cele mai apropiate ${towns} localități cu benzinării, la cel mult ${km} km în linie dreaptă; benzinăriile de pe autostradă nu intră în media lor. Autostrada, kilometrul și sensul sunt cele din adresă. Prețurile îndoielnice sau expirate nu se iau în calcul.`,
    (towns: number, km: number) =>
      `Each station is compared with the mean price in the nearest ${towns} towns with stations, at most ${km} km away in a straight line; stations on motorways do not count in that mean. Motorway, kilometre and direction are those of the address. Doubtful and expired prices never count.`,
  ),
  onMotorways: text('Pe autostradă', 'On motorways'),
  motorway: text(
    (ref: string) => `Autostrada ${ref}`,
    (ref: string) => `Motorway ${ref}`,
  ),
  unnamed: text('Autostradă nenumită în adresă', 'Motorway not named in the address'),
  motorways: text('autostrăzi', 'motorways'),
  map: text('Prețul motorinei la benzinăriile de pe autostrăzi', 'Diesel prices at the stations on motorways'),
  caption: text(
    'Preț în lei pe litru și diferența față de localitățile apropiate, în bani',
    'Price in lei per litre and the difference from the nearest towns, in bani',
  ),
  overview: text(
    'Cel mai mic preț de pe fiecare autostradă, în lei pe litru, și diferența medie față de localitățile apropiate, în bani',
    'The lowest price on each motorway, in lei per litre, and the mean difference from the nearest towns, in bani',
  ),
  name: text('Autostradă', 'Motorway'),
  all: text('Toate', 'All'),
  station: text('Benzinărie', 'Station'),
  towards: text('spre', 'towards'),
  against: text('față de', 'against'),
  noTowns: text('poziție nesigură: nu se compară', 'position not reliable: not compared'),
  farTowns: text('nicio localitate cu benzinării în apropiere', 'no town with stations nearby'),
  journey: text(
    (from: string, to: string) => `Unde merită să alimentați pe drumul ${from} – ${to}`,
    (from: string, to: string) => `Where to stop for fuel between ${from} and ${to}`,
  ),
  dataset: text('Diferența de preț pe autostradă', 'Price premium on motorways'),
};
