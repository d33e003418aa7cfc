import { type FollowOptions, followPages } from './changes.ts';
import { UnexpectedAnswerError } from './errors.ts';
import { Endpoints, type GetChangesInput, type GetStationsInput } from './generated/endpoints.ts';
import type { Modificare, Modificari, RaspunsStatii } from './generated/models.ts';
import type { CallOptions } from './transport.ts';

/** Prices together with the place in the feed of changes from which to keep them current. */
export interface StationsWithCursor {
  readonly answer: RaspunsStatii;
  readonly cursor: string;
}

/** A client of one Pompa service: a method for each operation, and the feed of changes. */
export class PompaClient extends Endpoints {
  /**
   * Pages of changes after `dupa`, until nothing is left, or for ever with `follow`. Store `urmatorul` together with
   * what you made of the page: continuing there, you miss nothing and apply nothing twice. Throws `CursorGoneError`
   * after a cursor that is too old.
   */
  changePages(input: GetChangesInput = {}, options: FollowOptions = {}): AsyncGenerator<Modificari, void, undefined> {
    return followPages((asked, limits) => this.getChanges(asked, limits), input, options);
  }

  /**
   * As `changePages`, change by change. To continue later, use `changePages` and store `urmatorul`: after the field
   * `cursor` of a change you might not get the `CursorGoneError` that you need.
   */
  async *iterateChanges(
    input: GetChangesInput = {},
    options: FollowOptions = {},
  ): AsyncGenerator<Modificare, void, undefined> {
    for await (const { modificari } of this.changePages(input, options)) yield* modificari;
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
