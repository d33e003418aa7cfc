/** What is free and what a key brings. */
import {
  KEY_PACE,
  KEY_PREFIX,
  PAGES,
  PLANS,
  type Plan,
  SERVICE_NAME,
  TRIAL_DAYS,
  WITHOUT_KEY,
} from '../../domain/access/plans.ts';
import { whole } from '../html/formats.ts';
import { framed, type PageInput } from '../html/frame.ts';
import { type Html, html } from '../html/html.ts';
import { type Language, prose, type Text } from '../html/language.ts';

/** The plans page. */
export function plansPage(language: Language, input: PageInput): Html {
  const say = (text: Text): Html[] => prose(text[language]);
  const content = html`<h1>${say(TITLE)}</h1>
<p class="lead">${say(LEAD)}</p>
<div class="table"><table>
<thead><tr>${COLUMNS.map((column, index) => html`<th scope="col"${index > 0 ? html` class="num"` : null}>${say(column)}</th>`)}</tr></thead>
<tbody>
${PLANS.map((plan) => row(plan, language))}</tbody>
</table></div>
<p>${say(TRIAL)}</p>
<h2>${say(KEYS_TITLE)}</h2>
<ul>${KEYS.map((text) => html`<li>${say(text)}</li>\n`)}</ul>
<h2>${say(FREE_TITLE)}</h2>
<p>${say(FREE_LEAD)}</p>
<ul>${FREE.map((text) => html`<li>${say(text)}</li>\n`)}</ul>
<p>${say(MORE)}</p>`;
  return framed(
    {
      page: 'plans',
      language,
      title: `${TITLE[language]} · ${SERVICE_NAME}`,
      description: DESCRIPTION[language],
      content,
    },
    input,
  );
}

function row({ name, euros, monthlyQuota }: Plan, language: Language): Html {
  const contract = BY_CONTRACT[language];
  return html`<tr><th scope="row">${name}</th><td class="num">${monthlyQuota === null ? contract : whole(monthlyQuota, language)}</td><td class="num">${euros === null ? contract : `${euros} EUR`}</td></tr>\n`;
}

const TITLE: Text = { ro: 'Planuri', en: 'Plans' };

const DESCRIPTION: Text = {
  ro: `Planurile ${SERVICE_NAME}: cereri pe lună, prețuri și limitele folosirii libere, fără cheie.`,
  en: `${SERVICE_NAME} plans: requests per month, prices and the limits of free use without a key.`,
};

const LEAD: Text = {
  ro: 'Fiecare adresă a API-ului răspunde și fără cheie, cu date reduse sau limite mai strânse. O cheie API dă acces la toate datele, cu o cotă lunară de cereri.',
  en: 'Every path of the API also answers without a key, with reduced data or tighter limits. An API key gives access to all data, with a monthly quota of requests.',
};

const COLUMNS: readonly Text[] = [
  { ro: 'Plan', en: 'Plan' },
  { ro: 'Cereri pe lună', en: 'Requests per month' },
  { ro: 'Preț pe lună', en: 'Price per month' },
];

const BY_CONTRACT: Text = { ro: 'prin contract', en: 'by contract' };

const TRIAL: Text = {
  ro: `Fiecare plan începe cu ${TRIAL_DAYS} zile de probă gratuită. Luna este cea calendaristică, în UTC.`,
  en: `Every plan starts with a free trial of ${TRIAL_DAYS} days. The month is the calendar month in UTC.`,
};

const KEYS_TITLE: Text = { ro: 'Cu o cheie', en: 'With a key' };

const KEYS: readonly Text[] = [
  {
    ro: `Toate orașele din \`/preturi\` și toate înregistrările din \`/statii\`; cota lunară a planului ține locul limitei săptămânale.`,
    en: `All cities of \`/preturi\` and all records of \`/statii\`; the monthly quota of the plan replaces the weekly cap.`,
  },
  {
    ro: `Pe termen scurt, cel mult ${KEY_PACE.perSecond} cereri pe secundă și ${KEY_PACE.perMinute} pe minut pentru fiecare cheie, indiferent de plan.`,
    en: `In the short term at most ${KEY_PACE.perSecond} requests per second and ${KEY_PACE.perMinute} per minute for each key, whatever the plan.`,
  },
  {
    ro: `Cheia (\`${KEY_PREFIX}…\`) se trimite în antetul \`X-Api-Key\` și se păstrează numai pe server. Cheile sunt emise de operatorul serviciului.`,
    en: `The key (\`${KEY_PREFIX}…\`) is sent in the header \`X-Api-Key\` and kept server-side only. Keys are issued by the operator of the service.`,
  },
];

const FREE_TITLE: Text = { ro: 'Fără cheie', en: 'Without a key' };

const FREE_LEAD: Text = {
  ro: 'Folosirea liberă nu cere cont.',
  en: 'Free use needs no account.',
};

const FREE: readonly Text[] = [
  {
    ro: '`/preturi/minime`, `/health` și `/openapi.json`: fără limită.',
    en: '`/preturi/minime`, `/health` and `/openapi.json`: no cap.',
  },
  {
    ro: `\`/preturi\`: primele ${WITHOUT_KEY.cities} orașe după populație și mediile rețelelor, fără limită de cereri.`,
    en: `\`/preturi\`: the ${WITHOUT_KEY.cities} largest cities and the network averages, no cap on requests.`,
  },
  {
    ro: '`/judete`, `/retele`, `/statii`, `/statie/{station_id}/istoric` și `/geocode`: limită de o cerere pe săptămână pentru fiecare adresă IP și fiecare dintre aceste adrese ale API-ului.',
    en: '`/judete`, `/retele`, `/statii`, `/statie/{station_id}/istoric` and `/geocode`: a cap of one request per week for each IP address and each of these endpoints.',
  },
  {
    ro: `\`/statii\`: un eșantion de cel mult ${WITHOUT_KEY.records} de înregistrări.`,
    en: `\`/statii\`: a sample of at most ${WITHOUT_KEY.records} records.`,
  },
];

const MORE: Text = {
  ro: `Toate limitele, antetele și erorile: [documentația API](${PAGES.docs.ro}#limite).`,
  en: `All limits, headers and errors: [API documentation](${PAGES.docs.en}#limite).`,
};
