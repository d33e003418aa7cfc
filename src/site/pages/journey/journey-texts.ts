/** The texts of the pages of journeys. */
import { text } from '../../html/text.ts';

export const TEXTS = {
  name: text('Pe drum', 'On the way'),
  formTitle: text(
    (stations: string) => `Carburant ieftin pe drum: ${stations}, ocol și economie`,
    (stations: string) => `Cheap fuel on your way: ${stations}, detours and savings`,
  ),
  formHeading: text('Carburant ieftin pe drum', 'Cheap fuel on your way'),
  formLead: text(
    'De unde plecați și unde mergeți? Aflați unde merită să opriți și dacă economia acoperă ocolul.',
    'Where do you start and where are you going? See where a stop pays, and whether the saving is worth the detour.',
  ),
  formDescription: text(
    (stations: string) =>
      `Alegeți plecarea, destinația și carburantul: dintre ${stations} cu preț azi, cele care merită oprirea, cu ocolul în minute și economia în lei.`,
    (stations: string) =>
      `Choose start, destination and fuel: of ${stations} with a price today, those worth the stop, with the detour in minutes and the saving in lei.`,
  ),
  from: text('De la', 'From'),
  to: text('Până la', 'To'),
  fuel: text('Carburant', 'Fuel'),
  radius: text('Departe de drum cel mult (km)', 'Distance from the road, at most (km)'),
  litres: text('Litri de cumpărat', 'Litres to buy'),
  consumption: text('Consum, l/100 km', 'Consumption, l/100 km'),
  hour: text('O oră din timpul meu, lei', 'An hour of my time, lei'),
  hourHint: text('necompletat: nu contează', 'empty: does not count'),
  more: text('Litri, consum, timp, distanță', 'Litres, consumption, time, distance'),
  submit: text('Caută opriri', 'Find stops'),
  change: text('Alt drum sau alte alegeri', 'Another journey or other choices'),
  unknownPlace: text(
    (place: string) => `Localitatea „${place}” nu a fost găsită.`,
    (place: string) => `There is no place called “${place}”.`,
  ),
  suggested: text('Localități', 'Places'),
  suggestions: text('Ați vrut să spuneți:', 'Did you mean:'),
  samePlace: text(
    (place: string) => `Plecarea și destinația sunt aceeași localitate, ${place}.`,
    (place: string) => `Start and destination are the same place, ${place}.`,
  ),
  noRoute: text(
    (from: string, to: string) => `Nu există un traseu rutier între ${from} și ${to}.`,
    (from: string, to: string) => `There is no road between ${from} and ${to}.`,
  ),
  motorways: text('Cât costă în plus carburantul pe autostradă', 'What fuel costs more on motorways'),
  largest: text('Drumuri între orașele mari', 'Journeys between large cities'),
  othersFrom: text(
    (place: string) => `Alte drumuri din ${place}`,
    (place: string) => `Other journeys from ${place}`,
  ),
  heading: text(
    (from: string, to: string) => `Carburant ieftin pe drumul ${from} – ${to}`,
    (from: string, to: string) => `Cheap fuel on the way from ${from} to ${to}`,
  ),
  titleStart: text(
    (from: string, to: string) => `Carburant ieftin ${from} – ${to}`,
    (from: string, to: string) => `Cheap fuel from ${from} to ${to}`,
  ),
  priceFrom: text(
    (fuel: string, price: string) => `${fuel} de la ${price} lei`,
    (fuel: string, price: string) => `${fuel} from ${price} lei`,
  ),
  lead: text(
    (route: string, stations: string, fuel: string, km: string) =>
      `${route}. ${stations} cu preț de încredere la ${fuel}, la cel mult ${km} de drum.`,
    (route: string, stations: string, fuel: string, km: string) =>
      `${route}. ${stations} with a trusted price of ${fuel}, at most ${km} from the road.`,
  ),
  description: text(
    (from: string, to: string, price: string, stations: string) =>
      `Pe drumul ${from} – ${to}, azi: ${price}. ${stations} de-a lungul lui, cu ocolul în minute și economia care rămâne după el.`,
    (from: string, to: string, price: string, stations: string) =>
      `On the way from ${from} to ${to} today: ${price}. ${stations} along it, with the detour in minutes and what is saved after it.`,
  ),
  noPrice: text(
    (fuel: string) => `Nicio benzinărie de pe acest drum nu are acum un preț de încredere la ${fuel}.`,
    (fuel: string) => `No station on this way has a trusted price of ${fuel} now.`,
  ),
  wider: text(
    (km: string) => `Caută până la ${km} de drum`,
    (km: string) => `Search up to ${km} from the road`,
  ),
  worthIt: text(
    (lei: string) => `Merită ocolul: cu ${lei} mai ieftin decât cea mai bună oprire din drum.`,
    (lei: string) => `Worth the detour: ${lei} cheaper than the best stop on the way.`,
  ),
  notWorthIt: text(
    'Nu merită să faceți un ocol: cea mai bună oprire este în drum.',
    'No detour is worth it: the best stop is on the way.',
  ),
  onlyDetours: text(
    'Nicio benzinărie nu este chiar în drum; cea mai bună oprire cere un ocol.',
    'No station is right on the way; the best stop needs a detour.',
  ),
  bestStop: text('Cea mai bună oprire', 'Best stop'),
  savingOn: text(
    (litres: string) => `Economie la ${litres}`,
    (litres: string) => `Saving on ${litres}`,
  ),
  lossOn: text(
    (litres: string) => `Pierdere la ${litres}`,
    (litres: string) => `Loss on ${litres}`,
  ),
  againstMean: text(
    (mean: string, costs: string) => `față de media de pe drum, ${mean} lei/l${costs}`,
    (mean: string, costs: string) => `against the average on the way, ${mean} lei/l${costs}`,
  ),
  afterFuel: text(', după carburantul ars până la pompă', ', after the fuel burnt to get there'),
  afterTime: text(' și timpul pierdut', ' and the time it takes'),
  detour: text('Ocol', 'Detour'),
  onTheWayFigure: text('În drum', 'On the way'),
  detourNone: text('fără ocol', 'no detour'),
  noExtraKm: text('fără km în plus', 'no extra km'),
  onTheWay: text('în drum', 'on the way'),
  detourCost: text(
    (km: string, lei: string) => `${km} în plus, carburant de ${lei}`,
    (km: string, lei: string) => `${km} more, fuel for ${lei}`,
  ),
  detourOf: text(
    (time: string, km: string) => `ocol ${time}, ${km}`,
    (time: string, km: string) => `detour ${time}, ${km}`,
  ),
  atKm: text(
    (km: string, from: string) => `${km} din ${from}`,
    (km: string, from: string) => `${km} from ${from}`,
  ),
  map: text(
    (from: string, to: string) => `Harta drumului ${from} – ${to}, cu opririle care merită`,
    (from: string, to: string) => `Map of the way from ${from} to ${to}, with the stops worth it`,
  ),
  stops: text('Opriri care merită', 'Stops worth it'),
  stages: text(
    'Dacă trebuie să alimentați pe parcurs: cea mai bună oprire din fiecare 100 km',
    'If you have to refuel on the way: the best stop of every 100 km',
  ),
  notWorth: text('Mai ieftine la pompă, dar nu merită ocolul', 'Cheaper at the pump, but not worth the detour'),
  saves: text(
    (lei: string) => `economie ${lei}`,
    (lei: string) => `saves ${lei}`,
  ),
  costs: text(
    (lei: string) => `cu ${lei} mai scump`,
    (lei: string) => `${lei} more expensive`,
  ),
  sameAsMean: text('cât media', 'as the average'),
  back: text(
    (from: string, to: string) => `Drumul de întoarcere: ${from} – ${to}`,
    (from: string, to: string) => `The way back: from ${from} to ${to}`,
  ),
  share: text(
    'Adresa păstrează tot ce ați ales și poate fi trimisă oricui:',
    'The address keeps all your choices and can be sent to anyone:',
  ),
  method: text('Cum se calculează', 'How it is calculated'),
  methodText: text(
    (terms: string, gain: string) =>
      `Distanțele, timpul și ocolul sunt estimate pe drumurile principale, fără trafic; până la 3 minute și 2 km, oprirea este „în drum”. Economia compară oprirea cu media prețurilor de încredere de pe drum, pentru ${terms}, și scade ce costă ocolul. Un ocol merită dacă rămâne ${gain} față de cea mai bună oprire din drum.`,
    (terms: string, gain: string) =>
      `Distances, times and detours are estimated on the main roads, without traffic; up to 3 minutes and 2 km, a stop is “on the way”. The saving compares the stop with the average of the trusted prices on the way, for ${terms}, less what the detour costs. A detour is worth it if ${gain} left against the best stop on the way.`,
  ),
  roads: text(
    (credit: string) => `Traseul: ${credit}.`,
    (credit: string) => `Route: ${credit}.`,
  ),
  smallestGain: text('cel puțin un leu', 'at least one leu is'),
  gainPerMinute: text(
    'cel puțin un leu, și o jumătate de leu pentru fiecare minut de ocol,',
    'at least one leu, and half a leu for every minute of the detour, is',
  ),
  hourTerm: text(
    (lei: string) => `${lei} pe oră`,
    (lei: string) => `${lei} an hour`,
  ),
};
