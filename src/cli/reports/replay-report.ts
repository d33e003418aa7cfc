/** Prints a replay: lines for people, JSON objects for programs. */

import type { Terminal } from '../../app/command.ts';
import { dayText, isoInstant } from '../../domain/days.ts';
import type { DayDifference, DifferenceExample } from '../../worker/replay/difference.ts';
import type { RebuildResult } from '../../worker/replay/rebuild.ts';
import type { ReplayedDay, SetAsideRun } from '../../worker/replay/replay.ts';
import type { ReplayHeader } from '../../worker/replay/replay-file.ts';
import type { ServedPrice } from '../../worker/replay/served-day.ts';

export class ReplayReport {
  readonly #terminal: Terminal;
  readonly #json: boolean;
  readonly #leftOut: string[] = [];
  readonly #totals = { days: 0, records: 0, differ: 0, left_out: 0 };
  #days = 0;

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#json = json;
  }

  /** Every day that was rewritten or left unchanged, then what was published. */
  reportRebuild(days: readonly ReplayedDay[], { changed, version }: RebuildResult): void {
    for (const { day, runs, setAside, leftOut } of days) {
      const date = dayText(day);
      const values = changed.get(day) ?? 0;
      if (this.#json) {
        this.#printJson({ day: date, runs, refused: setAside.map(setAsideObject), changed: values, left_out: leftOut });
        continue;
      }
      const what = leftOut === null ? `${runs} runs, ${values} values changed` : `left unchanged: ${leftOut}`;
      this.#terminal.out(`${date}: ${what}`);
      for (const run of setAside) this.#terminal.out(`  ${setAsideText(run)}`);
    }
    if (this.#json) this.#printJson({ published: version !== null, version });
    else
      this.#terminal.out(version === null ? 'nothing changed, nothing was published' : `published version ${version}`);
  }

  /** A replayed day, for `--out` and `--compare`. */
  reportDay({ day, setAside, leftOut }: ReplayedDay): void {
    this.#days += 1;
    if (leftOut !== null) this.#leftOut.push(`${dayText(day)} is left out: ${leftOut}`);
    for (const run of setAside) this.#terminal.err(setAsideText(run));
  }

  reportFile(file: string, records: number): void {
    const days = this.#days - this.#leftOut.length;
    if (this.#json) this.#printJson({ file, days, records, left_out: this.#leftOut.length });
    else this.#terminal.out(`${file}: ${records} records of ${days} days`);
    for (const text of this.#leftOut) this.#terminal.err(text);
  }

  /** Different settings alone make two replays differ, so they are reported. */
  reportComparisonStart(before: ReplayHeader, after: ReplayHeader): void {
    if (!this.#json) {
      const name = ({ program, rules }: ReplayHeader) => `version ${program}, rules ${rules}`;
      this.#terminal.out(`before: ${name(before)}; after: ${name(after)}`);
    }
    for (const setting of ['sources', 'inService', 'ranges'] as const) {
      const [then, now] = [JSON.stringify(before[setting]), JSON.stringify(after[setting])];
      if (then !== now) this.#terminal.err(`${SETTING_LABELS[setting]} differ: before ${then}, after ${now}`);
    }
  }

  reportDifference(day: DayDifference): void {
    const { examples, leftOut, ...counts } = day;
    this.#totals.days += leftOut === null ? 1 : 0;
    this.#totals.left_out += leftOut === null ? 0 : 1;
    this.#totals.records += day.records;
    this.#totals.differ += day.differ;
    if (this.#json) this.#printJson({ ...counts, left_out: leftOut, examples });
    else if (leftOut !== null) this.#terminal.out(`${day.day}: not compared: ${leftOut}`);
    else if (day.differ > 0) this.#printDifference(day);
  }

  reportTotals(): void {
    const { days, records, differ, left_out } = this.#totals;
    if (this.#json) this.#printJson({ ...this.#totals });
    else {
      const most = left_out === 0 ? '' : `; ${left_out} days were not compared`;
      this.#terminal.out(`${differ === 0 ? 'none' : differ} of ${records} records of ${days} days differ${most}`);
    }
  }

  #printDifference({ day, differ, prices, verdicts, sources, appeared, vanished, examples }: DayDifference): void {
    const counts = `${prices} prices, ${verdicts} verdicts, ${sources} sources, ${appeared} new, ${vanished} gone`;
    this.#terminal.out(`${day}: ${differ} records differ: ${counts}`);
    for (const example of examples) this.#terminal.out(`  ${exampleText(example)}`);
    if (differ > examples.length) this.#terminal.out(`  and ${differ - examples.length} more`);
  }

  #printJson(object: object): void {
    this.#terminal.out(JSON.stringify(object));
  }
}

const SETTING_LABELS = { sources: 'the sources', inService: 'SOURCES', ranges: 'PRICE_RANGES' } as const;

const setAsideObject = ({ source, at, reason }: SetAsideRun) => ({ source, at: isoInstant(at), reason });

function setAsideText({ source, at, reason }: SetAsideRun): string {
  return `${source} at ${isoInstant(at)} would have been set aside: ${reason}`;
}

function exampleText({ station, fuel, before, after }: DifferenceExample): string {
  return `${station} ${fuel}: ${priceText(before)} → ${priceText(after)}`;
}

function priceText(price: ServedPrice | null): string {
  if (price === null) return 'no record';
  const why = price.reason === null ? price.verdict : `${price.verdict} (${price.reason})`;
  if (price.price === null) return why;
  return `${price.price} ${why}${price.source === null ? '' : ` from ${price.source}`}`;
}
