/** The trusted price of each day, station and source, one column per fuel. */
import { FUELS } from '../../domain/fuel.ts';
import type { SourcedDay } from '../../domain/prices/sourced-day.ts';
import { columnsOf, type Table } from '../table.ts';
import { fuelColumns } from './fuel-columns.ts';

const { text, day } = columnsOf<SourcedDay>();

export const DAILY_PRICE_TABLE: Table<SourcedDay> = {
  name: 'zilnic',
  title: { ro: 'Prețurile zilnice', en: 'Daily prices' },
  about: {
    ro: 'Prețul sigur al fiecărei zile încheiate: un rând pentru zi, stație și sursă, o coloană pentru carburant. Prețurile nesigure și cele cu sursă neștiută lipsesc.',
    en: 'The trusted price of each past day: one row for a day, station and source, one column per fuel. Doubtful prices, and those of unknown source, are left out.',
  },
  key: ['zi', 'statie_id', 'sursa'],
  columns: [
    day('zi', { ro: 'ziua, în București', en: 'day in Bucharest' }, (row) => row.day, {
      required: true,
      ascending: true,
    }),
    text('statie_id', { ro: 'identificatorul stației', en: 'id of the station' }, ({ station }) => station, {
      required: true,
    }),
    ...fuelColumns<SourcedDay, (typeof FUELS)[number]>(
      FUELS,
      { ro: 'prețul zilei', en: 'price of the day' },
      ({ prices }, fuel) => prices[FUELS.indexOf(fuel)] ?? null,
    ),
    text(
      'sursa',
      {
        ro: 'sursa prețurilor din rând; `import` = importate de operator',
        en: 'source of the prices of the row; `import` = imported by the operator',
      },
      ({ source }) => source,
      { required: true },
    ),
  ],
  sourceOf: ({ source }) => source,
};
