/** What the service offers besides the API: files, prices for other sites, tools for AI clients. */
import { DUMP_PATH } from '../../domain/pages/dump-path.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import { bulletList, type DocsSection } from './docs-section.ts';

export const OTHER_INTERFACES: DocsSection = {
  id: 'fisiere-si-unelte',
  title: { ro: 'Fișiere, formate și unelte', en: 'Files, formats and tools' },
  content: bulletList(() => [
    {
      ro: 'CSV și GeoJSON: [`/statii`](#statii) cu `format=csv` (`text/csv`) sau `format=geojson` (`application/geo+json`). Un fișier CSV nu are `total` și `nota`.',
      en: 'CSV and GeoJSON: [`/statii`](#statii) with `format=csv` (`text/csv`) or `format=geojson` (`application/geo+json`). A CSV has no `total` and no `nota`.',
    },
    {
      ro: `Pentru foi de calcul, fără cheie și fără limită: [orașe](${DUMP_PATH}preturi/orase.csv), [rețele](${DUMP_PATH}preturi/retele.csv), [țara](${DUMP_PATH}preturi/national.csv). Istoricul întreg, ca fișiere CSV, Parquet și GeoJSON: [date deschise](${ROUTES.data.ro}).`,
      en: `For spreadsheets, without a key or limit: [cities](${DUMP_PATH}preturi/orase.csv), [networks](${DUMP_PATH}preturi/retele.csv), [the country](${DUMP_PATH}preturi/national.csv). The whole history as CSV, Parquet and GeoJSON files: [open data](${ROUTES.data.en}).`,
    },
    {
      ro: `Pe pagina dumneavoastră: un cadru, un element sau o imagine cu prețurile unui oraș, ale unei stații sau ale țării, din [generatorul de widgeturi](${ROUTES.embeds.ro}). Aceleași prețuri ca JSON, citibile din orice pagină: \`/widget/oras/cluj-napoca.json\`.`,
      en: `On your own page: a frame, an element or a picture with the prices of a city, a station or the country, from [the widget page](${ROUTES.embeds.en}). The same prices as JSON, readable from any page: \`/widget/oras/cluj-napoca.json\`.`,
    },
    {
      ro: `Noutăți (Atom) pentru un oraș sau o stație: adresa paginii urmată de \`/modificari.atom\`, de exemplu [Cluj-Napoca](${ROUTES.city.ro.replace(':city', 'cluj-napoca')}/modificari.atom).`,
      en: `News (Atom) of a city or a station: the address of its page followed by \`/changes.atom\`, such as [Cluj-Napoca](${ROUTES.city.en.replace(':city', 'cluj-napoca')}/changes.atom).`,
    },
    {
      ro: 'Biblioteci pentru TypeScript (`pompa-client`) și Python (`pompa_client`): un preț care lipsește nu se poate aduna din greșeală, refuzurile se deosebesc, fluxul se parcurge pagină cu pagină, iar semnăturile webhookurilor se verifică.',
      en: 'Libraries for TypeScript (`pompa-client`) and Python (`pompa_client`): a missing price cannot be added up by mistake, refusals are told apart, the feed is read page by page, and signatures of webhooks are verified.',
    },
    {
      ro: 'Asistenți AI: un server MCP (Model Context Protocol) la `/mcp`, HTTP, numai citire, cu sau fără `X-Api-Key`; de exemplu `claude mcp add --transport http pompa {adresa}/mcp`, cu adresa de bază a acestui serviciu.',
      en: 'AI assistants: an MCP server (Model Context Protocol) at `/mcp`, over HTTP, read-only, with or without `X-Api-Key`; for example `claude mcp add --transport http pompa {base}/mcp`, with the base address of this service.',
    },
  ]),
};
