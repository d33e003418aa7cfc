/** Crawlers of search engines and assistants, recognised by the token in their User-Agent (rule 8). */

/** The end of a DNS name in lower case, starting with a dot: `.googlebot.com`. */
export type DnsSuffix = `.${string}`;

export type Crawler = {
  /** As the operator writes it; matching ignores case. */
  readonly token: string;
  /** DNS suffixes of the operator's crawling addresses; none = its addresses cannot be confirmed. */
  readonly suffixes: readonly DnsSuffix[];
};

export type CrawlerTable = {
  readonly byToken: ReadonlyMap<string, Crawler>;
  readonly pattern: RegExp;
};

/** None of a token's characters may stand next to a token, so two tokens never match at one place. */
const TOKEN = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/i;

/** Whether a text can be a crawler's token: letters, digits and `.`, `_`, `-` between them; 64 characters at most. */
export function isCrawlerToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Builds the look-up table. The tokens must be valid and differ in more than case. */
export function crawlerTable(crawlers: readonly Crawler[]): CrawlerTable {
  const tokens = crawlers.map(({ token }) => token.replaceAll('.', '\\.'));
  return Object.freeze({
    byToken: new Map(crawlers.map((crawler) => [crawler.token.toLowerCase(), crawler])),
    pattern: tokens.length === 0 ? /(?!)/ : new RegExp(`(?:^|[ ;(,])(${tokens.join('|')})(?=/\\d|[;)]|$)`, 'i'),
  });
}

/**
 * The crawler that a User-Agent names, or `null`. If it names several, only the first counts: a client puts its own
 * name before those it is compatible with, so a later name must not grant a right that the first one's operator does
 * not confirm.
 */
export function crawlerOf(userAgent: string | undefined, { byToken, pattern }: CrawlerTable): Crawler | null {
  const token = userAgent === undefined ? undefined : pattern.exec(userAgent)?.[1];
  return token === undefined ? null : (byToken.get(token.toLowerCase()) ?? null);
}

type Operator = { readonly tokens: readonly string[]; readonly suffixes: readonly DnsSuffix[] };

const OPERATORS: Readonly<Record<string, Operator>> = {
  OpenAI: { tokens: ['GPTBot', 'ChatGPT-User', 'OAI-SearchBot'], suffixes: [] },
  Anthropic: { tokens: ['ClaudeBot', 'Claude-User', 'Claude-SearchBot', 'anthropic-ai'], suffixes: [] },
  Perplexity: { tokens: ['PerplexityBot', 'Perplexity-User'], suffixes: [] },
  Google: { tokens: ['Googlebot', 'Google-Extended'], suffixes: ['.googlebot.com', '.google.com'] },
  Microsoft: { tokens: ['bingbot'], suffixes: ['.search.msn.com'] },
  Apple: { tokens: ['Applebot', 'Applebot-Extended'], suffixes: ['.applebot.apple.com'] },
  Amazon: { tokens: ['Amazonbot'], suffixes: ['.crawl.amazonbot.amazon'] },
  DuckDuckGo: { tokens: ['DuckDuckBot', 'DuckAssistBot'], suffixes: [] },
  Yandex: { tokens: ['YandexBot'], suffixes: ['.yandex.ru', '.yandex.net', '.yandex.com'] },
  ByteDance: { tokens: ['Bytespider'], suffixes: [] },
  Meta: { tokens: ['meta-externalagent', 'meta-externalfetcher'], suffixes: [] },
  'Common Crawl': { tokens: ['CCBot'], suffixes: [] },
  Cohere: { tokens: ['cohere-ai'], suffixes: [] },
  Mistral: { tokens: ['MistralAI-User'], suffixes: [] },
};

/** The crawlers that are recognised unless `CRAWLERS_FILE` says otherwise. Source: rule 8. */
export const DEFAULT_CRAWLERS: readonly Crawler[] = Object.values(OPERATORS).flatMap(({ tokens, suffixes }) =>
  tokens.map((token) => ({ token, suffixes })),
);
