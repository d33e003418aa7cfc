/** Renders in the turn of a visitor, which gives way while a page waits for something outside the process. */
import type { OutsideTurn } from '../frame/journey-planner.ts';
import type { TakeTurn } from '../tiles/tile-cache.ts';

class TurnRefused extends Error {}

/** What the work returns in a turn, or `refused`: too many wait, or the visitor has gone. */
export async function inTurn<T>(
  takeTurn: TakeTurn,
  work: (outsideTurn: OutsideTurn) => T | Promise<T>,
): Promise<T | 'refused'> {
  let endTurn: (() => void) | null = null;
  const enter = async () => {
    endTurn = await takeTurn();
    if (endTurn === null) throw new TurnRefused();
  };
  const leave = () => endTurn?.();
  const outsideTurn: OutsideTurn = async (answer) => {
    leave();
    const [settled] = await Promise.allSettled([answer]);
    await enter();
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  };
  try {
    await enter();
    return await work(outsideTurn);
  } catch (error) {
    if (error instanceof TurnRefused) return 'refused';
    throw error;
  } finally {
    leave();
  }
}
