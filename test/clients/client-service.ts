/** What clients in other processes are tested against: the real service with keys, without a database, with feeds. */
import { GuardedServices } from '../support/service/guarded-services.ts';
import { TestService } from '../support/service/test-service.ts';
import { startFeedService, tellWhenAwaited } from './feed-service.ts';

export type ClientService = {
  readonly url: string;
  /** A service that cannot verify keys. */
  readonly withoutDatabase: string;
  /** A feed of five changes, three of them in CJ. */
  readonly feed: string;
  /** A feed without changes, which tells one once somebody waits. */
  readonly awaitedFeed: string;
  /** Of 1,000 requests a month, or of a single one. */
  readonly keys: Readonly<Record<'plenty' | 'burst' | 'single', string>>;
  readonly close: () => Promise<void>;
};

export async function startClientService(): Promise<ClientService> {
  const guarded = await GuardedServices.start();
  const lone = await TestService.start();
  const told = await startFeedService(['CJ', 'IF', 'CJ', 'BV', 'CJ']);
  const awaited = await startFeedService([]);
  tellWhenAwaited(awaited.feed, 'TM');
  const [plenty, burst, single] = await Promise.all([1000, 1000, 1].map((quota) => guarded.key({ quota })));
  return {
    url: urlOf(guarded.service),
    withoutDatabase: urlOf(lone),
    feed: told.url,
    awaitedFeed: awaited.url,
    keys: { plenty: plenty?.key ?? '', burst: burst?.key ?? '', single: single?.key ?? '' },
    close: async () => {
      await told.close();
      await awaited.close();
      await lone.api.close();
      await guarded.close();
    },
  };
}

const urlOf = ({ port }: TestService) => `http://127.0.0.1:${port}`;
