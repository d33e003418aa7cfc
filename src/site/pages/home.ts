/** The home page: what the service is and what fuel costs today. */

import { PAGES, SERVICE_NAME } from '../../domain/access/plans.ts';
import { FUEL_NAME, ROAD_FUELS } from '../../domain/fuel.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { curlCommand } from '../html/curl.ts';
import { formatBucharestTime, formatCount, formatRon } from '../html/formats.ts';
import { type Html, html } from '../html/html.ts';
import { type PageInput, pageDocument } from '../html/page-document.ts';

const UNAVAILABLE = 'indisponibil';

/** The home page, in Romanian. */
export function homePage(input: PageInput): Html {
  const { snapshot } = input;
  const content = html`<h1>Prețurile carburanților în România</h1>
<p class="lead">${SERVICE_NAME} adună de mai multe ori pe zi prețurile de la pompă, le verifică și le oferă tuturor printr-un API JSON: pe orașe, județe, rețele și stații, cu istoric zilnic.</p>
${pricesTable(snapshot)}
${dataFacts(snapshot)}
<h2>Pentru dezvoltatori</h2>
<p>Fiecare adresă a API-ului răspunde și fără cheie. De exemplu:</p>
<pre tabindex="0"><code>${curlCommand(`${input.publicUrl}/api/v1/preturi/minime`)}</code></pre>
<ul class="links">
<li><a href="${PAGES.docs.ro}"><b>Documentație</b><span>Adrese, parametri, câmpuri, erori și limite</span></a></li>
<li><a href="${PAGES.docs.en}" lang="en" hreflang="en"><b>Documentation</b><span>The same in English</span></a></li>
<li><a href="${PAGES.plans.ro}"><b>Planuri</b><span>Ce este liber și ce aduce o cheie API</span></a></li>
<li><a href="/api/v1/health"><b>Starea datelor</b><span>Cât de proaspete sunt prețurile (JSON)</span></a></li>
<li><a href="/openapi.json"><b>OpenAPI 3.1</b><span>Descrierea API-ului, pentru programe</span></a></li>
</ul>`;
  return pageDocument(
    {
      page: 'home',
      language: 'ro',
      title: `${SERVICE_NAME}: prețurile carburanților în România`,
      description: 'Prețul minim, mediu și maxim al benzinei, motorinei și GPL-ului în România, actualizat zilnic.',
      content,
    },
    input,
  );
}

function pricesTable({ national }: Snapshot): Html {
  return html`<div class="table"><table class="prices">
<caption>Prețuri la nivel național, din toate stațiile cu preț de încredere</caption>
<thead><tr><th scope="col">Carburant</th><th scope="col" class="num">Minim</th><th scope="col" class="num">Mediu</th><th scope="col" class="num">Maxim</th></tr></thead>
<tbody>
${ROAD_FUELS.map((fuel) => {
  const { min, mean, max } = national[fuel];
  return html`<tr><th scope="row">${FUEL_NAME[fuel].ro}</th><td class="num">${priceCell(min)}</td><td class="num mean">${priceCell(mean)}</td><td class="num">${priceCell(max)}</td></tr>\n`;
})}</tbody>
</table></div>`;
}

function priceCell(milli: number | null): Html {
  if (milli === null) return html`<span class="none">${UNAVAILABLE}</span>`;
  return html`${formatRon(milli, 'ro')} <span class="unit">lei/l</span>`;
}

function dataFacts({ updatedAt, counts }: Snapshot): Html {
  return html`${updatedAt === null ? html`<p>Încă nu a fost publicat niciun preț. Prețurile apar aici după prima colectare încheiată.</p>\n` : null}<dl class="facts">
<div><dt>Ultima actualizare (ora României)</dt><dd>${updatedAt === null ? UNAVAILABLE : timeElement(updatedAt)}</dd></div>
<div><dt>Stații cunoscute</dt><dd>${formatCount(counts.stations, 'ro')}</dd></div>
<div><dt>Stații cu cel puțin un preț</dt><dd>${formatCount(counts.stationsWithPrice, 'ro')}</dd></div>
</dl>`;
}

function timeElement(instant: number): Html {
  return html`<time datetime="${new Date(instant).toISOString()}">${formatBucharestTime(instant)}</time>`;
}
