import {
  CHANGES,
  type Change,
  type ChangePage,
  type ChangesInput,
  followPages,
  pageTimeout,
  readPage,
} from './changes.ts';
import { UnexpectedAnswerError } from './errors.ts';
import { Endpoints, type GetStationsInput } from './generated/endpoints.ts';
import type { RaspunsStatii } from './generated/models.ts';
import type { CallOptions } from './transport.ts';

/** Prices together with the place in the feed of changes from which to keep them current. */
export interface StationsWithCursor {
  readonly answer: RaspunsStatii;
  readonly cursor: string;
}

/** A client of one Pompa service: a method for each operation, and the feed of changes. */
export class PompaClient extends Endpoints {
  /** One page of changes after `dupa`, at most `limita`. Throws `CursorGoneError` after a cursor that is too old. */
  async getChangePage(input: ChangesInput = {}, options: CallOptions = {}): Promise<ChangePage> {
    return readPage(
      await this.call(CHANGES, { ...input }, { ...options, timeoutSeconds: pageTimeout(input, options) }),
    );
  }

  /**
   * Pages of changes after `dupa`, until nothing is left, or for ever with `follow`. Store `page.next` together with
   * what you made of the page: continuing there, you miss nothing and apply nothing twice.
   */
  changePages(
    input: ChangesInput = {},
    options: CallOptions & { readonly follow?: boolean } = {},
  ): AsyncGenerator<ChangePage, void, undefined> {
    return followPages((asked, limits) => this.getChangePage(asked, limits), input, options);
  }

  /** As `changePages`, change by change; `change.cursor` is where to continue. */
  async *iterateChanges(
    input: ChangesInput = {},
    options: CallOptions & { readonly follow?: boolean } = {},
  ): AsyncGenerator<Change, void, undefined> {
    for await (const page of this.changePages(input, options)) yield* page.changes;
  }

  /** The stations, and the cursor after which the feed continues from them. Needs a key. */
  async getStationsWithCursor(input: GetStationsInput = {}, options: CallOptions = {}): Promise<StationsWithCursor> {
    const stations = { method: 'GET', path: '/api/v1/statii', hasBody: false, answers: [200] };
    const { answer, headers } = await this.exchange(stations, { ...input }, options);
    const cursor = headers.get('Pompa-Cursor');
    if (cursor === null)
      throw new UnexpectedAnswerError('the answer has no Pompa-Cursor: it needs a key, and a service with the feed');
    return { answer: answer as RaspunsStatii, cursor };
  }
}
