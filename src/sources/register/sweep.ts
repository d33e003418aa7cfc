/** One complete reading of the register, from the first canary to the last. */

import { each } from '../../concurrency/for-each-concurrent.ts';
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import { SourceFailed, type Sweep, type SweepContext } from '../source.ts';
import type { WireItems } from './parsing/parse-json.ts';
import { isUnreadable, type Understood, understand } from './parsing/parse-rows.ts';
import type { Reply } from './parsing/reply.ts';
import { Questions } from './requests/register-client.ts';
import { CANARY_TASK, planOf, type Task } from './requests/sweep-plan.ts';
import { byUnit } from './requests/targets.ts';
import { Networks } from './splitting/networks.ts';
import { readWhole } from './splitting/split.ts';
import { isCapped } from './splitting/tile-search.ts';
import { Ledger } from './sweep-result.ts';

/** Sweeps these units × the five fuels. Rejects with `SourceFailed` when the register as a whole is ill. */
export function sweepRegister(units: readonly number[], context: SweepContext): Promise<Sweep> {
  return new RegisterSweep(units, context).run();
}

class RegisterSweep {
  readonly #context: SweepContext;
  readonly #today: DayNumber;
  readonly #tasks: readonly Task[];
  readonly #questions: Questions;
  readonly #networks: Networks;
  readonly #ledger: Ledger;
  readonly #askAgain: Task[] = [];
  readonly #capped: { task: Task; items: WireItems }[] = [];

  constructor(units: readonly number[], context: SweepContext) {
    this.#context = context;
    this.#today = dayNumber(bucharestDay(context.now));
    this.#tasks = planOf(units);
    this.#questions = new Questions(context);
    this.#networks = new Networks(this.#questions);
    this.#ledger = new Ledger(this.#tasks, this.#questions, context.onProgress);
  }

  async run(): Promise<Sweep> {
    const { parallel } = this.#context;
    const canary = await this.#askCanary();
    await each(this.#tasks, parallel, async (task) => {
      this.#consider(task, task.key === CANARY_TASK.key ? canary : await this.#ask(task), true);
    });
    await each(this.#askAgain, parallel, async (task) => this.#consider(task, await this.#ask(task), false));
    await each(this.#capped, parallel, ({ task, items }) => this.#split(task, items));
    // "No such station" is believed only of a register that is still well after it said so.
    if (this.#questions.sawNoSuch) await this.#askCanary();
    return this.#ledger.close();
  }

  /** Bucharest's petrol. A single 500 may be an accident: it is asked once more. */
  async #askCanary(): Promise<Reply> {
    const first = await this.#ask(CANARY_TASK);
    const reply = first.kind === 'no-such' ? await this.#ask(CANARY_TASK) : first;
    const read = reply.kind === 'items' ? this.#understand(reply.items, CANARY_TASK) : null;
    if (read?.prices.some(({ price }) => price !== null)) return reply;
    throw new SourceFailed(`the register is ill: for petrol in Bucharest it gave ${inWords(reply)}`);
  }

  #ask(task: Task): Promise<Reply> {
    return this.#questions.ask(byUnit(task.siruta, task.fuel));
  }

  #understand(items: WireItems, { fuel }: Task): Understood {
    return understand(items, { fuel, ranges: this.#context.ranges, today: this.#today });
  }

  #consider(task: Task, reply: Reply, firstTime: boolean): void {
    if (reply.kind === 'items') this.#considerItems(task, reply.items);
    else if (reply.kind === 'no-such') this.#considerNoSuch(task, firstTime);
    else if (reply.kind === 'none') this.#ledger.fail(task, 'no_answer', reply.why);
    else if (reply.kind === 'wrong-shape') this.#ledger.fail(task, 'wrong_shape', reply.why);
    else if (reply.kind === 'refused') this.#ledger.fail(task, `status_${reply.status}`, inWords(reply));
    else {
      if (firstTime) this.#ledger.rejections.add('bare_empty_list', task.key);
      this.#considerNoSuch(task, firstTime);
    }
  }

  /**
   * 500, or `[]` where an envelope is due: of a unit that never had rows it is the usual answer; else it is asked again
   * at the end (decision 26).
   */
  #considerNoSuch(task: Task, firstTime: boolean): void {
    if (!this.#context.unitsWithRows.has(task.key)) this.#ledger.settle(task, 'empty');
    else if (firstTime) this.#askAgain.push(task);
    else this.#ledger.settle(task, 'refused');
  }

  #considerItems(task: Task, items: WireItems): void {
    this.#networks.see(items.stations);
    if (items.stations.length === 0 && items.products.length === 0) this.#ledger.settle(task, 'empty');
    else if (isCapped(items)) this.#capped.push({ task, items });
    else {
      const own = this.#understand(items, task);
      this.#ledger.keep({ task, own: [own], around: [] });
      if (isUnreadable(own)) this.#ledger.fail(task, 'wrong_shape', 'not one row of it can be understood');
      else this.#ledger.settle(task, 'read');
    }
  }

  async #split(task: Task, items: WireItems): Promise<void> {
    const { cutOff, ...found } = await readWhole(task, items, {
      questions: this.#questions,
      networks: this.#networks,
      understand: (part) => this.#understand(part, task),
    });
    this.#ledger.keep({ task, ...found });
    // What was found is used; but a unit that may lack stations can make none an orphan.
    if (cutOff === null) this.#ledger.settle(task, 'read');
    else this.#ledger.fail(task, 'cut_off', cutOff);
  }
}

function inWords(reply: Reply): string {
  switch (reply.kind) {
    case 'items':
      return 'no price that can be understood';
    case 'empty-list':
      return 'an empty list';
    case 'no-such':
      return 'status 500';
    case 'refused':
      return `status ${reply.status}`;
    default:
      return reply.why;
  }
}
