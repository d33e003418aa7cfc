import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayNumber } from '../../domain/days.ts';
import { ROAD_FUELS } from '../../domain/fuel.ts';
import { PriceLevels } from './levels.ts';
import { SIMULATED_NETWORKS } from './simulated-networks.ts';

const TODAY = dayNumber('2026-11-21');
const SEEDS = [1, 2, 3, 7, 2026];

function days(
  levels: PriceLevels,
  network: (typeof SIMULATED_NETWORKS)[number]['id'],
  fuel: (typeof ROAD_FUELS)[number],
): number[] {
  return Array.from({ length: 800 }, (_, back) => levels.levelOn(network, fuel, TODAY - 400 + back));
}

describe('price levels of the networks', () => {
  it('change every 1 to 4 days by 1 to 10 bani', () => {
    for (const seed of SEEDS) {
      const levels = new PriceLevels(seed);
      for (const { id } of SIMULATED_NETWORKS) {
        for (const fuel of ROAD_FUELS) {
          let unchanged = 1;
          const walked = days(levels, id, fuel);
          for (const [at, price] of walked.entries()) {
            const step = Math.abs(price - (walked[at - 1] ?? price));
            assert.ok(step % 10 === 0 && step <= 100, `${id} ${fuel} moved by ${step}`);
            unchanged = step === 0 ? unchanged + 1 : 1;
            assert.ok(unchanged <= 4 + (at < 4 ? 1 : 0), `${id} ${fuel} stood still for ${unchanged} days`);
          }
        }
      }
    }
  });

  it('stay near the prices of autumn 2026, in whole bani', () => {
    const bounds = { petrol: [9_000, 9_900], diesel: [9_950, 11_000], lpg: [4_350, 4_900] } as const;
    for (const seed of SEEDS) {
      const levels = new PriceLevels(seed);
      for (const { id } of SIMULATED_NETWORKS) {
        for (const fuel of ['petrol', 'diesel', 'lpg'] as const) {
          const walked = days(levels, id, fuel);
          assert.ok(Math.min(...walked) >= bounds[fuel][0], `${id} ${fuel} ${Math.min(...walked)}`);
          assert.ok(Math.max(...walked) <= bounds[fuel][1], `${id} ${fuel} ${Math.max(...walked)}`);
          assert.ok(walked.every((price) => price % 10 === 0));
        }
      }
    }
  });

  it('have premium 60 bani to 1 leu above standard', () => {
    const levels = new PriceLevels(7);
    for (const { id } of SIMULATED_NETWORKS) {
      for (const standard of ['petrol', 'diesel'] as const) {
        const above = levels.levelOn(id, `${standard}_premium`, TODAY) - levels.levelOn(id, standard, TODAY);
        assert.ok(above >= 600 && above <= 1_000, `${id} ${standard} ${above}`);
      }
    }
  });

  it('do not depend on the order of the calls', () => {
    const [forwards, backwards] = [new PriceLevels(7), new PriceLevels(7)];
    const late = backwards.levelOn('MOL', 'diesel', TODAY + 300);
    assert.equal(backwards.levelOn('MOL', 'diesel', TODAY), forwards.levelOn('MOL', 'diesel', TODAY));
    assert.equal(forwards.levelOn('MOL', 'diesel', TODAY + 300), late);
  });

  it('exist even before the walk begins', () => {
    const levels = new PriceLevels(7);
    assert.equal(levels.levelOn('OMV', 'petrol', 0), levels.levelOn('OMV', 'petrol', dayNumber('2025-01-01')));
  });
});
