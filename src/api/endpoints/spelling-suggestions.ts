/**
 * Suggestions for unknown place names, within a budget: a search among all names costs more than most answers, and
 * nothing else limits requests that are refused. Beyond the budget there is no suggestion. Rule 34.
 */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { TokenBuckets } from '../../concurrency/token-buckets.ts';
import { clientNetwork } from '../../domain/access/client-network.ts';

export type SpellingSuggestionsOptions = {
  /** The labels of likely places for a text that means none. */
  readonly search: (text: string) => readonly string[];
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock?: () => number;
};

/** Searches of all clients in this process: 1 % of a core at 0.2 ms each. */
const OF_ALL = { burst: 100, perSecond: 50, maxKeys: 1 };
const OF_NETWORK = { burst: 20, perSecond: 5, maxKeys: 10_000 };
const OF_CLIENT = { burst: 10, perSecond: 1, maxKeys: 10_000 };
/** Cached answers, those used last; a cached one takes nothing from the budget. */
const MAX_ANSWERS = 2_000;

export class SpellingSuggestions {
  readonly #search: SpellingSuggestionsOptions['search'];
  readonly #buckets: { readonly all: TokenBuckets; readonly networks: TokenBuckets; readonly clients: TokenBuckets };
  readonly #answers = new BoundedMap<readonly string[]>(MAX_ANSWERS);

  constructor({ search, ...options }: SpellingSuggestionsOptions) {
    this.#search = search;
    this.#buckets = {
      all: new TokenBuckets({ ...OF_ALL, ...options }),
      networks: new TokenBuckets({ ...OF_NETWORK, ...options }),
      clients: new TokenBuckets({ ...OF_CLIENT, ...options }),
    };
  }

  /** The labels of likely places; none beyond the budget. `client` = an address as `clientAddress` names it. */
  find(text: string, client: string): readonly string[] {
    const labels = this.#answers.get(text) ?? (this.#maySearch(client) ? this.#search(text) : undefined);
    if (labels === undefined) return [];
    this.#answers.set(text, labels);
    return labels;
  }

  /** A client that has used up its share takes nothing from its network's, nor a network from the common one. */
  #maySearch(client: string): boolean {
    const { all, networks, clients } = this.#buckets;
    return clients.tryTake(client) && networks.tryTake(clientNetwork(client)) && all.tryTake('all');
  }
}
