/**
 * The API over the shipped state, with a clock that stands still: the service's own endpoints and router, without a
 * database, limits or pages.
 */
import { createAccessControl } from '../../api/access/access-control.ts';
import { createApi } from '../../api/http/api-server.ts';
import type { Log } from '../../api/response/log.ts';
import { type Config, publicUrl } from '../../config/config.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { CommandError } from '../command.ts';
import { limitsForOpenFiles } from '../connection-limits-of-system.ts';
import { MOCK_KEY_REPORT, mockAccess } from './mock-access.ts';
import { mockChanges } from './mock-changes.ts';
import { MOCK_NOW } from './mock-moment.ts';
import { mockReviews } from './mock-reviews.ts';
import { mockGermany, mockJourneys, mockPush } from './mock-services.ts';
import { mockSnapshot } from './mock-snapshot.ts';
import { MOCK_WEBHOOKS } from './mock-webhooks.ts';
import { withPreferences } from './preferred-answers.ts';

export type RunningMock = {
  /** `http://HOST:PORT` as listened on. */
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
};

type MockConfig = Pick<Config, 'HOST' | 'PORT' | 'PUBLIC_URL' | 'PUSH_HOSTS'>;

/** Starts the mock; rejects with a `CommandError` if it cannot listen. */
export async function startMock(config: MockConfig, log: Log): Promise<RunningMock> {
  let port = config.PORT;
  const address = () => publicUrl(config, port);
  const gazetteer = loadGazetteer();
  const snapshot = mockSnapshot(gazetteer);
  const api = await createApi({
    snapshot,
    gazetteer,
    publicUrl: address,
    clientOf: ({ peer }) => peer.remoteAddress ?? '',
    accessControl: createAccessControl(mockAccess(address)),
    adaptEndpoint: (endpoint) => withPreferences(endpoint, address),
    keyReport: () => Promise.resolve(MOCK_KEY_REPORT),
    germany: mockGermany,
    journeys: mockJourneys(gazetteer),
    reviews: mockReviews(snapshot),
    push: mockPush(config.PUSH_HOSTS),
    changes: mockChanges(snapshot),
    webhooks: MOCK_WEBHOOKS,
    // Reports come from pages, of which the mock has none.
    reports: {
      ranges: DEFAULT_RANGES,
      readAccepted: () => Promise.resolve([]),
      submit: () => Promise.resolve({ kind: 'unavailable' }),
    },
    site: () => undefined,
    log,
    clock: () => MOCK_NOW,
    limits: limitsForOpenFiles(),
  });
  const listening = await api.listen({ host: config.HOST, port: config.PORT }).catch(async (error: Error) => {
    await api.close();
    throw new CommandError(error.message);
  });
  port = listening.port;
  const host = listening.host.includes(':') ? `[${listening.host}]` : listening.host;
  return { address: `http://${host}:${port}`, port, close: () => api.close() };
}
