/** What a service answers before the rest of the program is loaded: the open prices, from the last good facts. */
import type { Logger } from 'pino';
import { CONNECTION_LIMITS } from '../api/http/connection/connection-limits.ts';
import { renderEarlyAnswers } from '../api/http/fast-path/early-answers.ts';
import { createHttpServer, type HttpServer } from '../api/http/http-server.ts';
import { RenderedSnapshot } from '../api/rendering/rendered-snapshot.ts';
import { REFUSAL_KINDS } from '../api/response/refusal-kinds.ts';
import type { Config } from '../config/config.ts';
import { RequestCounts } from '../telemetry/request-counts.ts';
import { type BuiltSnapshot, readFirstSnapshot } from '../worker/serving/first-snapshot.ts';
import { CommandError } from './command.ts';
import { limitsForOpenFiles } from './connection-limits-of-system.ts';
import type { ServingPlace } from './serving-place.ts';
import { collectionSettingsOf } from './settings/derived-settings.ts';

/** What answers while the rest of the service starts. */
export type EarlyService = {
  readonly httpServer: HttpServer;
  readonly limits: ReturnType<typeof limitsForOpenFiles>;
  /** Where its requests are counted. */
  readonly counts: RequestCounts;
  /** Built from the last good facts; empty if there are none. */
  readonly first: BuiltSnapshot;
  readonly rendered: RenderedSnapshot;
  /** Where it listens; `null` = another process does, until this one takes over. */
  readonly listening: { readonly host: string; readonly port: number } | null;
};

type EarlyOptions = {
  readonly config: Config;
  readonly log: Logger;
  readonly place?: ServingPlace | undefined;
};

/** Reads the last good facts, and listens unless it takes over. Throws `CommandError` where it cannot listen. */
export async function startEarlyService({ config, log, place }: EarlyOptions): Promise<EarlyService> {
  const limits = limitsForOpenFiles(place?.processes);
  const counts = new RequestCounts(REFUSAL_KINDS);
  const httpServer = createHttpServer({
    ...{ limits: { ...CONNECTION_LIMITS, ...limits }, counts, log },
    trustedProxies: config.TRUSTED_PROXIES,
  });
  const { DATA_DIR: dataDir, HOST: host, PORT: port } = config;
  const first = await readFirstSnapshot({ dataDir, settings: collectionSettingsOf(config), clock: Date.now, log });
  const rendered = await RenderedSnapshot.render(first.snapshot);
  httpServer.answerEarly(await renderEarlyAnswers(rendered, counts));
  const listen = () =>
    httpServer.listen(place?.socket ?? { host, port }).catch((error: Error) => {
      throw new CommandError(error.message);
    });
  return { httpServer, limits, counts, first, rendered, listening: place?.takesOver ? null : await listen() };
}
