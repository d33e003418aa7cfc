import { SingleFlight } from '../../concurrency/single-flight.ts';

/** Reads once for all metrics of a scrape; `null` = it could not be read. */
export function sharedReading<T>(read: () => Promise<T>): () => Promise<T | null> {
  const flight = new SingleFlight<T | null>();
  return () => flight.get('reading') ?? flight.start('reading', () => read().catch(() => null));
}
