/** A driver's report posted by the form of a station's page: what its fields mean, checked against what is served. */
import { MAX_REPORT_LENGTH, REPORT_KINDS, type ReportKind, type ReportOutcome } from '../../domain/driver-report.ts';
import { type Fuel, isInRange, type MilliPrice, type PriceRanges } from '../../domain/fuel.ts';
import { parseLei, parseShownFuel } from '../../domain/pages/report-form.ts';
import { type PriceVerdict, shownPrice } from '../../domain/prices/price-verdict.ts';
import { cleanVisitorText } from '../../domain/review.ts';
import { stationIdOf, stationSlug } from '../../domain/stations/station-slug.ts';
import type { NewDriverReport } from '../../store/driver-reports/submit-driver-reports.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import { formFields } from '../request/form-fields.ts';
import type { DriverReportService } from './driver-report-submission.ts';

/** How a posted report ended. */
export type PostedReport = {
  readonly outcome: ReportOutcome;
  /** The fuel of an invalid price; `null` = it is about something else. */
  readonly fuel: Fuel | null;
  /** How long the client must wait, if it is `limited`. */
  readonly waitMs?: number;
};

type ReportDependencies = {
  readonly reports: Pick<DriverReportService, 'submit' | 'ranges'>;
  /** What is served now. */
  readonly rendered: Pick<RenderedSnapshot, 'snapshot' | 'recordsOf'>;
  /** Whom limits are counted for. */
  readonly client: string;
};

/** Submits the report in a form's body about the station that a segment of the path names. */
export async function postDriverReport(
  body: Buffer,
  segment: string,
  { reports, rendered, client }: ReportDependencies,
): Promise<PostedReport> {
  const fields = formFields(body);
  const read = readReport(fields, stationIdOf(segment) ?? '', rendered, reports.ranges);
  if ('outcome' in read) return read;
  const result = await reports.submit(read, client, fields?.recaptcha_token ?? '');
  if (result.kind === 'added') return refused('received');
  return result.kind === 'limited' ? { ...refused('limited'), waitMs: result.waitMs } : refused(result.kind);
}

const refused = (outcome: ReportOutcome, fuel: Fuel | null = null): PostedReport => ({ outcome, fuel });

/** The report that the fields mean, or why there is none. Rule 44. */
function readReport(
  fields: Readonly<Record<string, string>> | null,
  id: string,
  rendered: ReportDependencies['rendered'],
  ranges: PriceRanges,
): NewDriverReport | PostedReport {
  const { snapshot } = rendered;
  const records = rendered.recordsOf(id);
  const station = records[0]?.station;
  if (station === undefined) return refused('unknown station');
  const kind = REPORT_KINDS.find((each) => each === fields?.kind);
  if (fields === null || kind === undefined) return refused('malformed');
  const comment = cleanVisitorText(fields.text ?? '', MAX_REPORT_LENGTH);
  if (comment === null) return refused('text too long');
  const verdicts = new Map(records.map(({ fuel, verdict }) => [fuel, verdict]));
  const about = kind === 'closed' ? WHOLE_STATION : readFuel(fields.fuel ?? '', verdicts);
  if ('outcome' in about) return about;
  const seen = readSeenPrice(fields.price ?? '', kind, about, ranges);
  if (seen !== null && typeof seen === 'object') return seen;
  return {
    ...{ station: station.id, slug: stationSlug(station), kind, ...about },
    ...{ version: snapshot.version, shownAt: snapshot.updatedAt, seenPrice: seen },
    comment: comment === '' ? null : comment,
  };
}

type About = { readonly fuel: Fuel | null; readonly shownPrice: MilliPrice | null };
const WHOLE_STATION: About = { fuel: null, shownPrice: null };

/** The fuel, and its price on the page: the one that is served, which the visitor must have looked at. */
function readFuel(sent: string, verdicts: ReadonlyMap<Fuel, PriceVerdict>): About | PostedReport {
  const seen = parseShownFuel(sent);
  if (seen === null) return refused('malformed');
  const verdict = verdicts.get(seen.fuel);
  if (verdict === undefined) return refused('unknown fuel');
  return shownPrice(verdict).price === seen.shownPrice ? seen : refused('price changed');
}

/** The price at the pump; `null` = the driver does not say. Of another kind of report it is left out. */
function readSeenPrice(
  sent: string,
  kind: ReportKind,
  { fuel, shownPrice: shown }: About,
  ranges: PriceRanges,
): MilliPrice | null | PostedReport {
  if (kind !== 'price' || fuel === null || sent.trim() === '') return null;
  const price = parseLei(sent);
  if (price === null || !isInRange(price, fuel, ranges)) return refused('invalid price', fuel);
  return price === shown ? refused('price as shown', fuel) : price;
}
