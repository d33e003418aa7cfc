/** A client that keeps a copy by pages: it stores the changes and `urmatorul`, and nothing else. */

import type { Static } from 'typebox';
import { ChangeFeed } from '../../../src/api/changes/change-feed.ts';
import type { ChangeLog } from '../../../src/api/changes/change-log.ts';
import type { ChangesSchema } from '../../../src/api/contract/change-schemas.ts';
import { type Cursor, parseCursor } from '../../../src/domain/changes/cursor.ts';
import { type FoldedFeed, fold } from './folded-feed.ts';

/** As a request without a key's limits has it. */
const CALL = { filter: {}, limit: 3, waitMs: 0, key: 1, caller: { headers: {} } as never };

export class FeedClient {
  readonly state: FoldedFeed;
  #cursor: string;

  constructor(state: FoldedFeed, cursor: string) {
    this.state = state;
    this.#cursor = cursor;
  }

  /** Reads pages up to the end; `false` = 410, after which it would begin again. */
  async readOn(log: ChangeLog): Promise<boolean> {
    const feed = new ChangeFeed(log);
    for (;;) {
      const place = feed.placeOf(parseCursor(this.#cursor) as Cursor);
      if ('problem' in place) return false;
      const { body } = await feed.answerPage({ ...CALL, place });
      const { modificari, urmatorul, la_zi } = JSON.parse(String(body?.plain)) as Static<typeof ChangesSchema>;
      fold(this.state, modificari, { isExact: false });
      this.#cursor = urmatorul;
      if (la_zi) return true;
    }
  }
}
