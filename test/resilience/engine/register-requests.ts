/** The questions that one collection puts to the register, awaited by their number. */
import { ROAD_FUELS } from '../../../src/domain/fuel.ts';
import units from '../../../src/sources/register/units.json' with { type: 'json' };
import type { ControlledCountry } from './controlled-country.ts';

export class RegisterRequests {
  /** The number of the last question of a whole sweep; one more, to see whether the register is well, may follow. */
  readonly last: number;
  #latest = 0;
  readonly #waiting: { number: number; reached: () => void }[] = [];

  /** Of a collection of every unit there is (`plain`), or of those with stations. */
  constructor(world: ControlledCountry, plain: boolean) {
    this.last = ROAD_FUELS.length * (plain ? units : world.units).length;
  }

  /** Notes that a question was put. */
  record(number: number): void {
    this.#latest = number;
    for (const { number: wanted, reached } of this.#waiting) if (wanted <= number) reached();
  }

  /** Resolves when this question is being put. */
  whenReached(number: number): Promise<void> {
    if (this.#latest >= number) return Promise.resolve();
    return new Promise((reached) => this.#waiting.push({ number, reached }));
  }
}
