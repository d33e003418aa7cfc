/** `/llms.txt`: what the site and its API offer, for language models. Source: llmstxt.org. */
import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import { DUMP_PATH } from '../../domain/pages/dump-path.ts';
import { ROUTES, type RouteName } from '../../domain/pages/routes.ts';
import { DATA_CREDIT, LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import type { SiteData } from '../frame/site-data.ts';

/** Addresses of pages with what they show; those with a variable part as a pattern. */
const PAGES: readonly (readonly [route: RouteName, about: string])[] = [
  ['home', 'the average and lowest prices of the country'],
  ['city', 'the prices of every station in a city, e.g. `cluj-napoca`'],
  ['cityFuel', 'the ranking of one fuel in a city: `petrol`, `premium-petrol`, `diesel`, `premium-diesel`, `lpg`'],
  ['station', 'the prices of one station, with their age and source'],
  ['county', 'the prices of a county and its places'],
  ['network', 'the prices of a network against the market'],
  ['today', 'the prices of today in sentences'],
  ['motorways', 'what stations on motorways charge above the nearest towns'],
  ['statistics', 'the national history'],
  ['status', 'how fresh each source is'],
  ['method', 'how prices are collected and judged'],
  ['data', 'files, licence, how to cite'],
  ['embeds', 'prices for other sites: frames, an element, pictures, sentences and tables for the press'],
];

/** The file, in English. */
export function llms({ publicUrl, simulated, api, dumps }: SiteData): string {
  const pages = PAGES.map(([route, about]) => `- ${address(route, publicUrl)}: ${about}`);
  const endpoints = api.endpoints.map(
    ({ method, path, summary, keyRequired }) =>
      `- \`${method} ${path}\`: ${summary.en}${keyRequired ? ' (needs a key)' : ''}`,
  );
  return `# ${SERVICE_NAME}

> Current fuel prices in Romania by station, city, county and network, in Romanian lei (RON) a litre: petrol, premium petrol, diesel, premium diesel and LPG.
${simulated ? '\nThe data of this installation are simulated: these are not real prices.\n' : ''}
- A price without a flag is trusted. Prices that are doubtful, expired or withdrawn are marked with the reason and never count towards a minimum or a mean.
- Days are those of Bucharest.
- Data: [${LICENCE.name}](${LICENCE.url}); credit "${SERVICE_NAME}". ${DATA_CREDIT}.

## Pages

${pages.join('\n')}

Every page exists in Romanian, too; \`hreflang\` links lead there. The prices of a city are also at ${publicUrl}${ROUTES.city.ro.replace(':city', '{city}')}.csv. Prices of all cities, of networks and of the country: ${publicUrl}${DUMP_PATH}preturi/{orase,retele,national}.csv.${dumps === null ? '' : ` Files of all stations, every change and daily prices: ${publicUrl}${DUMP_PATH}datapackage.json.`}

## API

- [OpenAPI document](${publicUrl}/openapi.json)
- MCP server, read-only tools for AI clients: ${publicUrl}/mcp
- [Documentation](${publicUrl}${ROUTES.docs.en})
- [Plans](${publicUrl}${ROUTES.plans.en}): without a key some endpoints answer an address once in ${ANONYMOUS_LIMITS.capDays} days

${endpoints.join('\n')}
`;
}

/** A link, or the pattern of an address with a variable part. */
function address(route: RouteName, publicUrl: string): string {
  const path = ROUTES[route].en;
  const pattern = path.replaceAll(/:(\w+)(?=\/|$)/g, '{$1}');
  return path === pattern ? `[${publicUrl}${path}](${publicUrl}${path})` : `\`${publicUrl}${pattern}\``;
}
