/** Databases that tell a test what they are asked, other than in transactions. */
import type { Database } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';

/** A database that calls `asked` before each query, and waits for it. */
export function withQueryHook(
  given: Database<Schema>,
  asked: (text: string) => void | Promise<void>,
): Database<Schema> {
  return {
    ...given,
    async query(statement, limit) {
      await asked(statement.text);
      return given.query(statement, limit);
    },
  };
}

/** A database that counts its queries. */
export function countingQueries(given: Database<Schema>) {
  let count = 0;
  const counted = withQueryHook(given, () => {
    count += 1;
  });
  return { counted, questions: () => count };
}

/**
 * A database that reads all keys only once `read` was called, and, if `hangs`, looks none up; `isReading` resolves when
 * it was asked to.
 */
export function withReadingHeld(given: Database<Schema>, hangs = false) {
  const [asked, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = withQueryHook(given, async (text) => {
    if (hangs && text.includes('any($1')) await Promise.withResolvers().promise;
    if (!text.includes('limit $2')) return;
    asked.resolve();
    await allowed.promise;
  });
  return { held, isReading: asked.promise, read: allowed.resolve };
}
