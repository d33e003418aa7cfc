/** What a server answers before the rest of the program is loaded: the prices without key and limit, ready-made. */
import type { RequestCounts, RequestSeries } from '../../../telemetry/request-counts.ts';
import { CITY_PRICES, NATIONAL_PRICES } from '../../declaration/open-prices.ts';
import type { RenderedSnapshot } from '../../rendering/rendered-snapshot.ts';
import type { FastAnswer } from './fast-connection.ts';
import { PrerenderedResponses } from './prerendered-responses.ts';
import type { ParsedRequest } from './request-parser.ts';

/** Renders them; the function that it returns answers a request with one of them, or with `null`. */
export async function renderEarlyAnswers(
  rendered: RenderedSnapshot,
  counts: RequestCounts,
): Promise<(read: ParsedRequest) => FastAnswer | null> {
  // Without the answers to keys, which nobody can get yet.
  const open = ({ path, access }: typeof CITY_PRICES | typeof NATIONAL_PRICES) =>
    ({ path, access: { ...access, key: 'none' }, prerendered: true }) as const;
  const cities = () => CITY_PRICES.answer(rendered, { county: null, missing: 'null', full: false });
  const national = () => NATIONAL_PRICES.answer(rendered, 'null');
  const responses = await PrerenderedResponses.render(
    [
      { ...open(CITY_PRICES), defaultAnswer: cities },
      { ...open(NATIONAL_PRICES), defaultAnswer: national },
    ],
    rendered,
  );
  const series = new Map<string, RequestSeries>(
    [CITY_PRICES, NATIONAL_PRICES].map(({ path, operationId }) => [path, counts.series(operationId, 'fast')]),
  );
  return (read) => {
    const response = responses.responseFor(read);
    const counted = series.get(read.target);
    return response === null || counted === undefined ? null : { series: counted, response };
  };
}
