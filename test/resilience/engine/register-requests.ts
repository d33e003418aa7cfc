/** Waits for requests of one collection to the register by their number. */
import { ROAD_FUELS } from '../../../src/domain/fuel.ts';
import units from '../../../src/sources/register/units.json' with { type: 'json' };
import type { ControlledCountry } from './controlled-country.ts';

export class RegisterRequests {
  /** The number of the last request of a complete sweep; one more may follow, to check the register's health. */
  readonly last: number;
  #latest = 0;
  readonly #waiting: { number: number; reached: () => void }[] = [];

  /** Expects a collection of every unit of the register (`plain`), or only of those with stations. */
  constructor(world: ControlledCountry, plain: boolean) {
    this.last = ROAD_FUELS.length * (plain ? units : world.units).length;
  }

  /** Records that a request was sent. */
  record(number: number): void {
    this.#latest = number;
    for (const { number: wanted, reached } of this.#waiting) if (wanted <= number) reached();
  }

  /** Resolves when the request with this number is sent. */
  whenReached(number: number): Promise<void> {
    if (this.#latest >= number) return Promise.resolve();
    return new Promise((reached) => this.#waiting.push({ number, reached }));
  }
}
