/** The networks to request one by one if a unit does not fit into one answer. */

import { tryParseJson } from '../../../json/try-parse-json.ts';
import { asObject, cleanId } from '../../feed/fields.ts';
import { REGISTER_JSON_LIMITS } from '../parsing/parse-json.ts';
import { NETWORK_IDS } from '../parsing/register-ids.ts';
import { networkId } from '../parsing/station-row.ts';
import type { RegisterSession } from '../requests/register-session.ts';
import { NETWORKS_TARGET } from '../requests/targets.ts';

const MAX_NETWORKS = 60;

/** The built-in networks, those seen on stations in this run, and those that the register lists. */
export class KnownNetworks {
  readonly #session: RegisterSession;
  readonly #ids = new Set<string>(NETWORK_IDS);
  #listed: Promise<void> | null = null;

  constructor(session: RegisterSession) {
    this.#session = session;
  }

  /** Remembers the networks of these station rows. */
  addFrom(stations: readonly unknown[]): void {
    for (const station of stations) this.#add(networkId(station));
  }

  /** All ids, sorted. Requests the register's own list once per run; if that fails, the others must suffice. */
  async all(): Promise<readonly string[]> {
    this.#listed ??= this.#fetchList();
    await this.#listed;
    return [...this.#ids].sort();
  }

  async #fetchList(): Promise<void> {
    const answer = await this.#session.fetchAnswer(NETWORKS_TARGET);
    if ('why' in answer || answer.status !== 200) return;
    for (const item of listItems(answer.body.toString('utf8'))) this.#add(cleanId(asObject(item).id));
  }

  #add(id: string | null): void {
    if (id !== null && /\p{L}/u.test(id) && !id.includes(',') && this.#ids.size < MAX_NETWORKS) this.#ids.add(id);
  }
}

function listItems(body: string): readonly unknown[] {
  const list = asObject(tryParseJson(body, REGISTER_JSON_LIMITS)).Items;
  return Array.isArray(list) ? list : [];
}
