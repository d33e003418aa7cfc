/** Reads the whole register once, from the first canary request to the last. */

import { forEachConcurrent } from '../../concurrency/for-each-concurrent.ts';
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import type { Sweep } from '../../domain/reports/sweep.ts';
import { SourceFailed, type SweepContext } from '../source.ts';
import type { RegisterItems } from './parsing/parse-json.ts';
import { isUnreadable, type ParsedRows, parseRows } from './parsing/parse-rows.ts';
import type { RegisterReply } from './parsing/register-reply.ts';
import { RegisterSession } from './requests/register-session.ts';
import { CANARY_TASK, tasksFor, type UnitTask } from './requests/sweep-plan.ts';
import { byUnit } from './requests/targets.ts';
import { KnownNetworks } from './splitting/known-networks.ts';
import { readCompleteUnit } from './splitting/split.ts';
import { isCapped } from './splitting/tile-search.ts';
import { SweepResult } from './sweep-result.ts';

/** Sweeps these units × the five fuels. Rejects with `SourceFailed` if the register as a whole fails. */
export function sweepRegister(units: readonly number[], context: SweepContext): Promise<Sweep> {
  return new RegisterSweep(units, context).run();
}

class RegisterSweep {
  readonly #context: SweepContext;
  readonly #today: DayNumber;
  readonly #tasks: readonly UnitTask[];
  readonly #session: RegisterSession;
  readonly #networks: KnownNetworks;
  readonly #result: SweepResult;
  readonly #retries: UnitTask[] = [];
  readonly #cappedReplies: { task: UnitTask; items: RegisterItems }[] = [];

  constructor(units: readonly number[], context: SweepContext) {
    this.#context = context;
    this.#today = dayNumber(bucharestDay(context.now));
    this.#tasks = tasksFor(units);
    this.#session = new RegisterSession(context);
    this.#networks = new KnownNetworks(this.#session);
    this.#result = new SweepResult(this.#tasks, this.#session, context.onProgress);
  }

  async run(): Promise<Sweep> {
    const { parallel } = this.#context;
    const canary = await this.#askCanary();
    await forEachConcurrent(this.#tasks, parallel, async (task) => {
      this.#handleReply(task, task.key === CANARY_TASK.key ? canary : await this.#request(task), true);
    });
    await forEachConcurrent(this.#retries, parallel, async (task) =>
      this.#handleReply(task, await this.#request(task), false),
    );
    await forEachConcurrent(this.#cappedReplies, parallel, ({ task, items }) => this.#readInParts(task, items));
    // "No such station" counts only if the register is still healthy afterwards.
    if (this.#session.sawNoSuchUnit) await this.#askCanary();
    return this.#result.toSweep();
  }

  /** Requests petrol in Bucharest. A single 500 may be an accident, so the canary is requested once more. */
  async #askCanary(): Promise<RegisterReply> {
    const first = await this.#request(CANARY_TASK);
    const reply = first.kind === 'no-such' ? await this.#request(CANARY_TASK) : first;
    const read = reply.kind === 'items' ? this.#parseRows(reply.items, CANARY_TASK) : null;
    if (read?.prices.some(({ price }) => price !== null)) return reply;
    throw new SourceFailed(`the register is unhealthy: for petrol in Bucharest it gave ${replyText(reply)}`);
  }

  #request(task: UnitTask): Promise<RegisterReply> {
    return this.#session.request(byUnit(task.siruta, task.fuel));
  }

  #parseRows(items: RegisterItems, { fuel }: UnitTask): ParsedRows {
    return parseRows(items, { fuel, ranges: this.#context.ranges, today: this.#today });
  }

  #handleReply(task: UnitTask, reply: RegisterReply, isFirstAttempt: boolean): void {
    if (reply.kind === 'items') this.#handleItems(task, reply.items);
    else if (reply.kind === 'no-such') this.#handleNoSuchUnit(task, isFirstAttempt);
    else if (reply.kind === 'none') this.#result.unitFailed(task, 'no_answer', reply.why);
    else if (reply.kind === 'wrong-shape') this.#result.unitFailed(task, 'wrong_shape', reply.why);
    else if (reply.kind === 'http-error') this.#result.unitFailed(task, `status_${reply.status}`, replyText(reply));
    else {
      if (isFirstAttempt) this.#result.rejections.add('bare_empty_list', task.key);
      this.#handleNoSuchUnit(task, isFirstAttempt);
    }
  }

  /**
   * 500, or `[]` instead of an envelope: the usual answer for a unit that never had rows; any other unit is requested
   * again at the end (rule 26).
   */
  #handleNoSuchUnit(task: UnitTask, isFirstAttempt: boolean): void {
    if (!this.#context.unitsWithRows.has(task.key)) this.#result.unitDone(task, 'empty');
    else if (isFirstAttempt) this.#retries.push(task);
    else this.#result.unitDone(task, 'not-found');
  }

  #handleItems(task: UnitTask, items: RegisterItems): void {
    this.#networks.addFrom(items.stations);
    if (items.stations.length === 0 && items.products.length === 0) this.#result.unitDone(task, 'empty');
    else if (isCapped(items)) this.#cappedReplies.push({ task, items });
    else {
      const own = this.#parseRows(items, task);
      this.#result.addRows({ task, own: [own], around: [] });
      if (isUnreadable(own)) this.#result.unitFailed(task, 'wrong_shape', 'none of its rows can be parsed');
      else this.#result.unitDone(task, 'read');
    }
  }

  async #readInParts(task: UnitTask, items: RegisterItems): Promise<void> {
    const { cutOff, ...found } = await readCompleteUnit(task, items, {
      session: this.#session,
      networks: this.#networks,
      parseRows: (part) => this.#parseRows(part, task),
    });
    this.#result.addRows({ task, ...found });
    // The rows found are used, but a unit that may lack stations must not turn any into an orphan.
    if (cutOff === null) this.#result.unitDone(task, 'read');
    else this.#result.unitFailed(task, 'cut_off', cutOff);
  }
}

function replyText(reply: RegisterReply): string {
  switch (reply.kind) {
    case 'items':
      return 'no price that can be parsed';
    case 'empty-list':
      return 'an empty list';
    case 'no-such':
      return 'status 500';
    case 'http-error':
      return `status ${reply.status}`;
    default:
      return reply.why;
  }
}
