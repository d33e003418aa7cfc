/** The texts of the page on which one chooses what another site shows. */
import { SITE_RATE_LIMITS } from '../../../domain/access/request-limits.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { LICENCE, SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Theme } from '../../embeds/embed-address.ts';
import { type Text, text } from '../../html/text.ts';

const { pagesPerMinute } = SITE_RATE_LIMITS;

export const TEXTS = {
  heading: text('Prețuri pe site-ul dvs.', 'Prices on your site'),
  title: text(
    'Prețul carburanților pe site-ul dvs.: widget, insignă, tabel',
    'Fuel prices on your own site: widget, badge and press table',
  ),
  description: text(
    'Alegeți o localitate, o benzinărie sau țara și un carburant, apoi copiați codul: cadru, element HTML, imagine, propoziție și tabel pentru presă.',
    'Choose a town, a station or the country and a fuel, then copy the code: a frame, an HTML element, a picture, a sentence and table for the press.',
  ),
  lead: text(
    'Alegeți locul și carburantul, apoi copiați codul. Gratuit, fără cheie și fără cookie-uri; prețurile se actualizează singure.',
    'Choose the place and fuel, then copy the code. Free, without a key or cookies; prices stay current by themselves.',
  ),
  place: text('Localitatea', 'Town'),
  country: text('toată țara', 'the whole country'),
  station: text('Benzinăria', 'Station'),
  otherPlace: text('Alt loc', 'Another place'),
  fuel: text('Carburantul', 'Fuel'),
  allFuels: text('toți', 'all'),
  theme: text('Culori', 'Colours'),
  submit: text('Arată codul', 'Show the code'),
  suggested: text('Localități propuse', 'Suggested places'),
  stationsOf: text(
    (place: string) => `Numai o benzinărie din ${place}`,
    (place: string) => `Only one station in ${place}`,
  ),
  resultOf: text(
    (place: string) => `Codul pentru ${place}`,
    (place: string) => `The code for ${place}`,
  ),
  frame: text('Cadru (iframe)', 'Frame (iframe)'),
  frameAbout: text(
    'Merge peste tot, și unde nu se pot adăuga scripturi. Înăuntru nu rulează niciun cod. Lățimea poate fi de la 240 la 600 px.',
    'Works everywhere, also where no scripts can be added. No code runs in it. It may be 240 to 600 px wide.',
  ),
  element: text('Element HTML', 'HTML element'),
  elementAbout: text(
    'Se întinde pe lățimea coloanei; un singur script, mic, fără dependențe. Dacă prețul nu se poate încărca, rămâne linkul.',
    'Takes the width of its column; one small script without dependencies. If the price cannot be loaded, the link remains.',
  ),
  picture: text('Imagine (SVG)', 'Picture (SVG)'),
  pictureAbout: text(
    'Pentru forumuri, README-uri și mesaje: fără cod.',
    'For forums, READMEs and messages: without code.',
  ),
  press: text('Pentru presă', 'For the press'),
  pressAbout: text(
    'Propoziția și tabelul de azi, gata de copiat, cu sursa.',
    'Today’s sentence and table, ready to copy, with the source.',
  ),
  noPrice: text('Nu este niciun preț sigur acum.', 'There is no reliable price now.'),
  tableCode: text('Tabelul ca HTML', 'The table as HTML'),
  file: text('Date (JSON)', 'Data (JSON)'),
  fileAbout: text(
    (address: string) =>
      `Aceleași prețuri pentru programele dvs., de pe orice origine (CORS): \`${address}\`. Pentru mai multe locuri deodată există [API-ul](${ROUTES.docs.ro}).`,
    (address: string) =>
      `The same prices for your own code, from any origin (CORS): \`${address}\`. For many places at once there is the [API](${ROUTES.docs.en}).`,
  ),
  terms: text('Condiții', 'Terms'),
  licence: text(
    `Licența datelor este [${LICENCE.name}](${LICENCE.url}): linkul „${SERVICE_NAME}” rămâne vizibil.`,
    `The data are under [${LICENCE.name}](${LICENCE.url}): the link “${SERVICE_NAME}” stays visible.`,
  ),
  caching: text(
    'Browserele și serverele intermediare pot păstra un preț 5 minute, o imagine 15.',
    'Browsers and shared caches may keep a price for 5 minutes, a picture for 15.',
  ),
  limits: text(
    `Limita se aplică fiecărui cititor în parte: ${pagesPerMinute} de cadre pe minut de la o adresă IP. Nu se consumă din limitele API-ului.`,
    `The limit applies to each reader separately: ${pagesPerMinute} frames a minute from one IP address. They never count against the limits of the API.`,
  ),
  policy: text(
    (origin: string) =>
      `Dacă site-ul dvs. are Content-Security-Policy: cadrul cere \`frame-src ${origin}\`, elementul \`script-src ${origin}; connect-src ${origin}\`, imaginea \`img-src ${origin}\`.`,
    (origin: string) =>
      `If your site has a Content-Security-Policy: the frame needs \`frame-src ${origin}\`, the element \`script-src ${origin}; connect-src ${origin}\`, the picture \`img-src ${origin}\`.`,
  ),
  copy: text('Copiază', 'Copy'),
  copied: text('Copiat.', 'Copied.'),
  selected: text('Textul este selectat: copiați-l cu tastatura.', 'The text is selected: copy it with the keyboard.'),
  unknown: text(
    (typed: string) => `Nu cunoaștem nicio localitate cu benzinării numită „${typed}”.`,
    (typed: string) => `We know no town with stations called “${typed}”.`,
  ),
  unknownStation: text(
    'Benzinăria nu există sau nu mai este pe hartă.',
    'The station does not exist or is no longer on the map.',
  ),
  meant: text('Poate:', 'Perhaps:'),
};

export const THEME_NAMES: Readonly<Record<Theme, Text<string>>> = {
  auto: text('după sistemul cititorului', 'follow the reader’s system'),
  light: text('deschise', 'light'),
  dark: text('închise', 'dark'),
};
