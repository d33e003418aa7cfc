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
