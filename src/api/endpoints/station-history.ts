/** The price history of a station. */

import { EXAMPLE_STATION } from '../../domain/stations/station-slug.ts';
import { HISTORY_DAYS } from '../../snapshot/price-history.ts';
import { MESSAGES } from '../contract/messages.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { HistorySchema } from '../contract/station-schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { endpoint, refuse } from '../declaration/endpoint.ts';
import { cappedInteger, segment } from '../declaration/parameters.ts';
import { ok } from '../response/answer.ts';
import { problem } from '../response/problem.ts';

/** `/statie/{station_id}/istoric`. */
export const historyEndpoint = endpoint({
  operationId: 'getStationHistory',
  path: '/api/v1/statie/{station_id}/istoric',
  tag: API_TAGS.stations,
  summary: { ro: 'Istoricul zilnic al unei stații', en: 'Daily price series of one station' },
  description: {
    ro:
      'Toate zilele ferestrei, de la prima zi cunoscută a stației până azi, după calendarul României; o zi fără măsurătoare este null în fiecare serie. ' +
      '`variatie` are carburanții cu cel puțin două zile cunoscute în fereastră.',
    en:
      'All days of the window from the first known day of the station to today, in Romanian calendar days; a day without a measurement is null in every series. ' +
      '`variatie` has the fuels with at least two known days in the window.',
  },
  example: ['days'],
  access: { key: 'optional', quota: true, withoutKey: { weeklyCap: { crawlerExemption: 'by DNS' } } },
  parameters: {
    station_id: segment({
      description: { ro: 'Câmpul `id` al unei înregistrări din `/statii`.', en: 'The `id` of a `/statii` record.' },
      example: EXAMPLE_STATION.id,
    }),
    days: cappedInteger({ min: 1, max: HISTORY_DAYS }, 30, {
      description: {
        ro: `Câte zile are fereastra, inclusiv ziua de azi; peste ${HISTORY_DAYS} înseamnă ${HISTORY_DAYS}.`,
        en: `Days of the window, today included; above ${HISTORY_DAYS} means ${HISTORY_DAYS}.`,
      },
      example: 30,
    }),
  },
  answers: {
    200: { description: { ro: 'Seriile.', en: 'The series.' }, schema: HistorySchema },
    404: {
      description: { ro: 'Stație necunoscută sau fără istoric.', en: 'Unknown id, or a station without history.' },
      schema: ProblemSchema,
    },
  },
  handle({ station_id: id, days, rendered }) {
    const renderBody = rendered.history(id, days);
    return renderBody === null ? refuse(problem(404, MESSAGES.historyUnknown)) : () => ok(renderBody());
  },
});
