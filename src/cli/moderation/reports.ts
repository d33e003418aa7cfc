/** `pompa reports`: moderation of what drivers report of prices. */

import { DRIVER_REPORT_DAYS } from '../../domain/access/retention.ts';
import { bucharestDateTime } from '../../domain/days.ts';
import type { ReportKind } from '../../domain/driver-report.ts';
import type { MilliPrice } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import { withCodePointsShown } from '../../domain/visible-text.ts';
import {
  decideReport,
  deleteReport,
  type OpenReport,
  openReports,
  type ReportAbout,
} from '../../store/driver-reports/driver-report-moderation.ts';
import { deleteCommand } from '../delete-for-good.ts';
import { commandWithSubCommands } from '../sub-commands.ts';
import { decisionCommand, listCommand, type Moderated } from './moderation.ts';

const REPORTS: Moderated<ReturnType<typeof reportObject>> = {
  words: { name: 'report', list: 'reports list', shown: 'the open ones' },
  table: 'driver_reports',
  none: 'no open reports',
  waiting: async ({ kysely }) => (await openReports(kysely)).map(reportObject),
  linesOf,
  remove: ({ kysely }, id) => deleteReport(kysely, id),
};

const decision = (state: 'accepted' | 'rejected', meaningOf: (report: ReportAbout) => string) =>
  decisionCommand(REPORTS, state, async ({ kysely }, id, decided) => {
    const report = await decideReport(kysely, id, decided);
    return report === null ? null : meaningOf(report);
  });

export const reportsCommand = commandWithSubCommands(
  'reports',
  `Reports of drivers wait for a decision. No report changes a price. The station's page shows an accepted one, unless its kind
is "other", until the source publishes another price of that fuel, for at most ${DRIVER_REPORT_DAYS} days; its text never. An earlier decision
can be changed.
delete is permanent and removes every trace of the author.`,
  {
    list: listCommand(REPORTS),
    accept: decision('accepted', whatIsShown),
    reject: decision('rejected', () => 'and not shown'),
    delete: deleteCommand(REPORTS, 'its text'),
  },
);

/** What the page of the station does with an accepted report. */
function whatIsShown({ kind, fuel }: ReportAbout): string {
  const code = fuel === null ? 'a fuel' : FUEL_CODE[fuel];
  const until = (price: string) => `until the source changes ${price}, for at most ${DRIVER_REPORT_DAYS} days`;
  const shown: Readonly<Record<ReportKind, string>> = {
    price: `and the station's page says beside the price of ${code} that drivers saw another one, ${until('that price')}`,
    no_fuel: `and the station's page says that drivers found no ${code}, ${until('its price')}`,
    closed: `and the station's page says that drivers found it closed, ${until('any of its prices')}`,
    other: 'and no page shows it: what to do about its text is for you to decide',
  };
  return shown[kind];
}

const lei = (price: MilliPrice | null) => (price === null ? null : price / 1000);

/** Prices in lei per litre. The moderator sees every character of the text. */
function reportObject(report: OpenReport) {
  const { id, slug, kind, fuel, shownPrice, shownAt, seenPrice, comment, createdAt } = report;
  return {
    ...{ id, slug, kind, fuel: fuel && FUEL_CODE[fuel], shown: lei(shownPrice), seen: lei(seenPrice) },
    comment: withCodePointsShown(comment ?? ''),
    updated_at: shownAt && bucharestDateTime(shownAt),
    created_at: bucharestDateTime(createdAt),
  };
}

const KINDS: Readonly<Record<ReportKind, string>> = {
  price: 'another price',
  no_fuel: 'no such fuel',
  closed: 'the station is closed',
  other: 'something else',
};

function linesOf(report: ReturnType<typeof reportObject>): string[] {
  const { id, slug, kind, fuel, shown, seen, comment, updated_at, created_at } = report;
  const what = seen === null ? KINDS[kind] : `${seen} lei seen`;
  const page = fuel === null ? '' : `, ${shown === null ? 'no price' : `${shown} lei`} shown (prices of ${updated_at})`;
  return [
    `report ${id}: ${fuel === null ? '' : `${fuel}, `}${what}${page}, ${slug}, ${created_at}`,
    ...(comment === '' ? [] : [`  ${comment}`]),
  ];
}
