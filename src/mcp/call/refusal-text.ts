/** Refusals of endpoints in words that a model can relay: which limit, when again, how to get a key. */
import type { HeaderList } from '../../api/response/answer.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import { waitText } from './age-text.ts';

type RefusalBody = Readonly<Record<string, unknown>>;

const SET_A_KEY =
  'whoever runs this MCP connection sets it in the header X-Api-Key (over stdio: the setting MCP_API_KEY)';

type Asker = {
  /** The address of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether a key was sent. */
  readonly hasKey: boolean;
};

export function refusalText(
  status: number,
  body: RefusalBody,
  headers: HeaderList,
  { publicUrl, hasKey }: Asker,
): string {
  const own = String(body.message ?? body.msg ?? '');
  const plans = `${publicUrl}${ROUTES.plans.en}`;
  const wait = waitOf(headers);
  if (status === 429 && 'next_allowed' in body)
    return `Limit reached: without an API key, each kind of question is answered once a week for one address. The next answer without a key: ${body.next_allowed}. A key lifts this limit: ${plans}; ${SET_A_KEY}.`;
  if (status === 429 && 'limit' in body)
    return `Limit reached: the ${body.limit} requests that this API key may make in a month, by its plan or by a limit that its holder set, are used up.${wait} See ${publicUrl}${BILLING_PATHS.account.en} or ${plans}. (${own})`;
  if (status === 429) return `Limit reached: too many requests at once.${wait} (${own})`;
  if (status === 401 && !hasKey) return `This needs an API key; a free one will do: ${plans}; ${SET_A_KEY}.`;
  if (status === 401)
    return `The API key is not accepted: it is unknown, revoked, or its subscription is not active. To correct or remove it: ${SET_A_KEY}. (${own})`;
  if (status === 410)
    return `The cursor is not valid any more. Leave it out for the newest changes and a new cursor. (${own})`;
  if (status === 503) return `Not available at the moment.${wait} (${own})`;
  if (status >= 500) return `The service failed to answer. Try again later. (${own})`;
  return own;
}

function waitOf(headers: HeaderList): string {
  const at = headers.indexOf('Retry-After');
  return at === -1 ? '' : ` ${waitText(Number(headers[at + 1]))}`;
}
