/** Web push in the demo: its own keys, a push service on loopback, and an alert for every new subscriber. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { makeVapidPair } from '../../clients/web-push.ts';
import type { Config } from '../../config/config.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { type SimulatedPushService, startSimulatedPushService } from '../../simulation/push-service.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { type AlertSubject, addAlert } from '../../store/alerts/alerts.ts';
import { type NewSubscriber, newSubscribers } from '../../store/alerts/subscriptions.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import type { Terminal } from '../command.ts';

const POLL_MS = 2_000;
const PAGE = '/preturi-carburanti/bucuresti/benzina';
const SUBJECT = 'mailto:demo@example.org';

type StoredPushKeys = { readonly publicKey: string; readonly privateKey: string; readonly port: number };

export type DemoPush = {
  /** The settings that the demo uses with it. */
  readonly settings: Pick<Config, 'vapid' | 'PUSH_HOSTS'>;
  /** The command line that subscribes a simulated browser. */
  curl(address: string): string;
  /** Starts to send an alert to every new subscriber; the returned function stops it. */
  alertNewSubscribers(database: Database<Schema>, snapshot: () => Snapshot, log: Logger): () => void;
  close(): Promise<void>;
};

/** Starts the push service; the terminal shows the messages that it receives, decrypted. */
export async function startDemoPush(config: Config, folder: string, terminal: Terminal): Promise<DemoPush> {
  const file = path.join(folder, 'vapid.json');
  const kept = JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) as StoredPushKeys | null;
  const printMessage = ({ browser, text }: { browser: string; text: string }) =>
    terminal.out(`push message for "${browser}": ${text}`);
  const service = await startSimulatedPushService(printMessage, kept?.port);
  const { publicKey, privateKey } = kept ?? makeVapidPair();
  // Stays as it is while another demo holds the port: the subscriptions of this folder name it.
  const port = kept?.port ?? Number(new URL(service.origin).port);
  await writeFile(file, `${JSON.stringify({ publicKey, privateKey, port })}\n`, { mode: 0o600 });
  return {
    settings: {
      vapid: { publicKey, privateKey, subject: SUBJECT },
      PUSH_HOSTS: [...config.PUSH_HOSTS, service.origin],
    },
    curl: (address) => curlOf(address, service),
    alertNewSubscribers: (database, snapshot, log) =>
      startAlertingNewSubscribers(service.origin, database, snapshot, log),
    close: () => service.close(),
  };
}

function curlOf(address: string, service: SimulatedPushService): string {
  const body = JSON.stringify({ ...service.subscribe('demo'), pagina: PAGE });
  return `curl -H 'Content-Type: application/json' -d '${body}' ${address}/api/v1/push/subscribe`;
}

function startAlertingNewSubscribers(
  origin: string,
  database: Database<Schema>,
  snapshot: () => Snapshot,
  log: Logger,
): () => void {
  let polling = false;
  const poll = async () => {
    if (polling) return;
    polling = true;
    await addSimulatedAlerts(origin, database, snapshot()).catch((error: Error) =>
      log.warn(`no alert could be simulated: ${error.message}`),
    );
    polling = false;
  };
  const timer = setInterval(poll, POLL_MS);
  return () => clearInterval(timer);
}

async function addSimulatedAlerts(origin: string, { kysely }: Database<Schema>, snapshot: Snapshot): Promise<void> {
  for (const subscriber of await newSubscribers(kysely, origin)) {
    const alert = simulatedAlert(subscriber, snapshot);
    if (alert !== null) await kysely.transaction().execute((tx) => addAlert(tx, alert, subscriber.id));
  }
}

/** An alert for the cheapest current price, as if it had just fallen by 25 bani. */
function simulatedAlert({ city, fuel }: NewSubscriber, { records }: Snapshot) {
  const subject: AlertSubject = { city, fuel: fuel ?? 'petrol' };
  const [cheapest] = records
    .flatMap(({ station, fuel: own, verdict }) => {
      const here = own === subject.fuel && (city === null || station.citySlug === city);
      return here && verdict.kind === 'trusted' ? [{ station, price: verdict.price }] : [];
    })
    .sort((a, b) => a.price - b.price);
  if (cheapest === undefined) return null;
  const { station, price } = cheapest;
  const details = {
    ...({ rule: 'mean', change: 250, since: null, simulated: true } as const),
    station: station.id,
    network: station.network.name,
    address: station.address,
    stationCity: station.city,
    city: city === null ? null : (loadGazetteer().localityBySlug(city)?.ascii ?? city),
  };
  return { ...subject, version: 0, at: Date.now(), price, details };
}
