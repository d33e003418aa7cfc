/** Which networks to ask for one by one when a unit does not fit into one answer. */

import { asRow, cleanId } from '../../feed/fields.ts';
import { NETWORK_IDS } from '../parsing/catalogue.ts';
import { networkId } from '../parsing/station-row.ts';
import type { Questions } from '../requests/register-client.ts';
import { NETWORKS } from '../requests/targets.ts';

const MOST_NETWORKS = 60;

/** The networks known, those seen on stations in this run, and those that the register lists when asked. */
export class Networks {
  readonly #questions: Questions;
  readonly #ids = new Set<string>(NETWORK_IDS);
  #listed: Promise<void> | null = null;

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  /** Remembers the networks of these station rows. */
  see(stations: readonly unknown[]): void {
    for (const station of stations) this.#add(networkId(station));
  }

  /** All ids, in a fixed order. The register's own list is asked for once a run; without it the others must do. */
  async all(): Promise<readonly string[]> {
    this.#listed ??= this.#askForList();
    await this.#listed;
    return [...this.#ids].sort();
  }

  async #askForList(): Promise<void> {
    const answer = await this.#questions.answer(NETWORKS);
    if ('why' in answer || answer.status !== 200) return;
    for (const item of items(answer.body.toString('utf8'))) this.#add(cleanId(asRow(item).id));
  }

  #add(id: string | null): void {
    if (id !== null && /\p{L}/u.test(id) && !id.includes(',') && this.#ids.size < MOST_NETWORKS) this.#ids.add(id);
  }
}

function items(body: string): readonly unknown[] {
  try {
    const list = asRow(JSON.parse(body)).Items;
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
