/** A call of a tool: who calls, the data at that moment, and the endpoints, whose gate is the only way to them. */
import type { AccessControl, PreparedAnswer } from '../../api/access/access-rules.ts';
import type { ChangeLog } from '../../api/changes/change-log.ts';
import type { Endpoint } from '../../api/declaration/endpoint.ts';
import type { JourneyPlanner } from '../../api/endpoints/journey.ts';
import type { RenderedSnapshot } from '../../api/rendering/rendered-snapshot.ts';
import type { Caller } from '../../api/request/caller.ts';
import type { Answer } from '../../api/response/answer.ts';
import { problem, problemAnswer } from '../../api/response/problem.ts';
import type { County } from '../../domain/places/county.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Locality } from '../../domain/places/locality.ts';
import { refusalText } from './refusal-text.ts';

type McpGazetteer = Pick<Gazetteer, 'countyByName' | 'labelOf'>;

/** What the calls of a service share. */
export type McpData = {
  readonly endpoints: readonly Endpoint[];
  readonly accessControl: AccessControl;
  readonly journeys: Pick<JourneyPlanner, 'findPlace' | 'suggestPlaces'>;
  readonly gazetteer: McpGazetteer;
  /** The feed of changes. */
  readonly changes: Pick<ChangeLog, 'newest' | 'lastCursor'>;
  /** The address of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether the data are simulated: if so, every answer says it. */
  readonly simulated: boolean;
  /** Epoch ms. */
  readonly clock: () => number;
};

type EndpointInput = {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly segments?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
};

/** The JSON of an answer with 200, or why there is none. */
export type Outcome<T> = { readonly json: T } | { readonly refusal: string };

/** What a tool counts by that reads no endpoint: the same rules as for an endpoint of that name. */
export type Metering = Pick<Parameters<AccessControl>[0], 'access' | 'path'>;

export class ToolCall {
  readonly data: McpData;
  readonly caller: Caller;
  readonly rendered: RenderedSnapshot;

  constructor(data: McpData, caller: Caller, rendered: RenderedSnapshot) {
    this.data = data;
    this.caller = caller;
    this.rendered = rendered;
  }

  get snapshot(): RenderedSnapshot['snapshot'] {
    return this.rendered.snapshot;
  }

  /** The answer of an endpoint to this caller: admitted, counted and refunded as if it came over HTTP. */
  answerOf(operationId: string, { query = {}, segments = {}, body }: EndpointInput): Answer | Promise<Answer> {
    const endpoint = this.data.endpoints.find((each) => each.operationId === operationId);
    if (endpoint === undefined) throw new Error(`no endpoint is called ${operationId}`);
    const sent = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
    const posted = body && { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' };
    const incoming = {
      ...this.caller,
      query: new URLSearchParams(sent).toString(),
      segments,
      ...(posted && { body: posted }),
    };
    return endpoint.answer(incoming, this.rendered, this.data.accessControl);
  }

  /** The same, read. `T` is what the contract says of the answer. */
  async request<T>(operationId: string, input: EndpointInput): Promise<Outcome<T>> {
    return this.#read(await this.answerOf(operationId, input));
  }

  /** Does work that no endpoint does under the gate that all endpoints have; `null` is refused as `missing`, free. */
  async metered<T>({ access, path }: Metering, find: () => T | null, missing: string): Promise<Outcome<T>> {
    const found = find();
    const prepared: PreparedAnswer =
      found === null
        ? { answer: problemAnswer(problem(404, missing), false) }
        : { work: () => GRANTED, isCounted: this.snapshot.version > 0 };
    const answer = await this.data.accessControl({
      ...{ access, path, caller: this.caller, cors: false, cacheable: false },
      prepare: () => prepared,
    });
    return answer.status === 200 && found !== null ? { json: found } : this.#read(answer);
  }

  /** The place that a name means, or a refusal that suggests others. */
  findPlace(name: string): { readonly place: Locality } | { readonly refusal: string } {
    const { findPlace, suggestPlaces } = this.data.journeys;
    const place = findPlace(name);
    if (place !== undefined) return { place };
    const likely = suggestPlaces(name, this.caller);
    const hint =
      likely.length === 0 ? 'Try a town or village of Romania, with its county.' : `Did you mean ${likely.join('; ')}?`;
    return { refusal: `No place in Romania is known as ${JSON.stringify(name)}. ${hint}` };
  }

  /** The county that a name or plate code means, or a refusal that says what would be right. */
  findCounty(text: string): { readonly county: County } | { readonly refusal: string } {
    const county = this.data.gazetteer.countyByName(text);
    if (county !== undefined) return { county };
    return {
      refusal: `No county of Romania is called ${JSON.stringify(text)}. Give its name or plate code, such as Cluj or CJ.`,
    };
  }

  #read<T>({ status, body, extraHeaders = [] }: Answer): Outcome<T> {
    const json = JSON.parse(body?.plain.toString() ?? '{}');
    if (status === 200) return { json };
    const hasKey = this.caller.headers['x-api-key'] !== undefined;
    return { refusal: refusalText(status, json, extraHeaders, { publicUrl: this.data.publicUrl, hasKey }) };
  }
}

const GRANTED: Answer = { status: 200, headers: [], body: null };
