/** Accepts reports of drivers, and returns those that a moderator accepted. */
import { clientNetwork } from '../../domain/access/client-network.ts';
import type { AcceptedReport } from '../../domain/driver-report.ts';
import type { PriceRanges } from '../../domain/fuel.ts';
import type { DatabaseConnection } from '../../store/connection/database-connection.ts';
import { readAcceptedReports } from '../../store/driver-reports/driver-reports.ts';
import { DRIVER_REPORT_SUBMISSIONS, type NewDriverReport } from '../../store/driver-reports/submit-driver-reports.ts';
import type { KeyedHasher } from '../../store/limits/address-hash.ts';
import type { Log } from '../response/log.ts';
import type { CaptchaCheck } from './captcha-check.ts';
import { createQueries, createSubmitter, type SubmissionResult } from './submission.ts';

export type DriverReportService = {
  /** Valid prices. */
  readonly ranges: PriceRanges;
  /** The accepted reports of a station by its id; `null` = the database does not answer. */
  readAccepted(station: string): Promise<readonly AcceptedReport[] | null>;
  /** @param client as limits count it; `token` is that of the captcha, which a text needs; `''` = none was sent. */
  submit(report: NewDriverReport, client: string, token: string): Promise<SubmissionResult<object>>;
};

export type DriverReportServiceDependencies = {
  readonly database: DatabaseConnection;
  readonly ranges: PriceRanges;
  /** Makes the keyed hashes that identify clients and networks. */
  readonly hasher: KeyedHasher;
  /** `null` = there is none: every report with text is refused. */
  readonly captcha: CaptchaCheck | null;
  readonly log: Pick<Log, 'warn'>;
};

/** After this time the reports of a page count as unavailable. */
const READ_TIMEOUT_MS = 1_700;

/** Creates the service. */
export function createDriverReportService({
  database,
  ranges,
  hasher,
  captcha,
  log,
}: DriverReportServiceDependencies): DriverReportService {
  const queries = createQueries(database, log, 'reports of drivers can neither be read nor written');
  const add = createSubmitter({
    ...{ kind: DRIVER_REPORT_SUBMISSIONS, queries, hasher, captcha },
    sendersOf: (client) => [client, clientNetwork(client)],
  });
  return {
    ranges,
    readAccepted: queries<string, readonly AcceptedReport[]>(READ_TIMEOUT_MS, readAcceptedReports),
    submit: (report, client, token) => add(report, { client, token: report.comment === null ? null : token }),
  };
}
