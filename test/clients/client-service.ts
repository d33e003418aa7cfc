/** What clients in other processes are tested against: the real service with keys, one without a database, feeds. */
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';
import { SHOWN_AFTER_COUNTIES, tellCounties } from './told-counties.ts';

export type ClientService = {
  readonly url: string;
  /** A service that cannot verify keys. */
  readonly withoutDatabase: string;
  /** A service whose feed has five changes, three of them in CJ. */
  readonly feed: string;
  /** One that tells a sixth change whenever somebody waits for it. */
  readonly awaitedFeed: string;
  readonly epoch: string;
  /** Of 1,000 requests a month, or of a single one. */
  readonly keys: Readonly<Record<'plenty' | 'burst' | 'single', string>>;
  readonly close: () => Promise<void>;
};

export async function startClientService(): Promise<ClientService> {
  const guarded = await GuardedServices.start();
  const lone = await TestService.start();
  const feed = await startFeed(new ToldFeed());
  const told = new ToldFeed();
  const awaited = await startFeed(told);
  const telling = setInterval(() => told.log.listeners > 0 && told.tellSome(1), 10);
  const [plenty, burst, single] = await Promise.all([1000, 1000, 1].map((quota) => guarded.key({ quota })));
  return {
    url: urlOf(guarded.service),
    withoutDatabase: urlOf(lone),
    feed: urlOf(feed),
    awaitedFeed: urlOf(awaited),
    epoch: EPOCH,
    keys: { plenty: plenty?.key ?? '', burst: burst?.key ?? '', single: single?.key ?? '' },
    close: async () => {
      clearInterval(telling);
      await Promise.all([feed, awaited, lone].map(({ api }) => api.close()));
      await guarded.close();
    },
  };
}

function startFeed(feed: ToldFeed): Promise<TestService> {
  tellCounties(feed);
  return TestService.start({ accessControl: allowAll(SOME_KEY), changes: feed.log, snapshot: SHOWN_AFTER_COUNTIES });
}

const urlOf = ({ port }: TestService) => `http://127.0.0.1:${port}`;
