/** What an alert says to people and to the service worker that shows it. `docs/ALERTS.md` documents the fields. */
import { createHash } from 'node:crypto';
import { FUEL_NAME, type MilliPrice, type RoadFuel } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { AlertDetails } from '../../store/alerts/alerts.ts';
import { pagePath } from './page-subject.ts';

export type AlertContent = {
  readonly city: string | null;
  readonly fuel: RoadFuel;
  readonly price: MilliPrice;
  readonly details: AlertDetails;
};

/** The payload, and the topic by which a later alert for the same place and fuel replaces this one. */
export function alertMessage(alert: AlertContent): { readonly payload: string; readonly topic: string } {
  const { city, fuel, price, details } = alert;
  // A topic has at most 32 characters of base64url (RFC 8030).
  const topic = createHash('sha256')
    .update(`${city ?? ''}/${fuel}`)
    .digest('base64url')
    .slice(0, 24);
  const payload = {
    ...notificationText(alert),
    tag: topic,
    url: pagePath(city, fuel),
    regula: details.rule,
    oras: details.city,
    tip_carburant: FUEL_CODE[fuel],
    pret: price / 1000,
    scadere: details.change / 1000,
    statie: details.station,
  };
  return { payload: JSON.stringify(payload), topic };
}

/** The two lines of a notification, in Romanian. */
export function notificationText({ fuel, price, details }: Omit<AlertContent, 'city'>): {
  title: string;
  body: string;
} {
  const place = details.city === null ? 'România' : details.city;
  const city = details.address.includes(details.stationCity) ? '' : details.stationCity;
  const where = [details.network, details.address, city].filter((part) => part !== '').join(', ');
  return {
    title: `${details.simulated ? '[SIMULAT] ' : ''}${FUEL_NAME[fuel].ro}: ${formatLei(price)} lei/l în ${place}`,
    body: `${reasonText(details)}: ${where}.`,
  };
}

function reasonText({ rule, change, since }: AlertDetails): string {
  const less = `cu ${formatLei(change)} lei sub`;
  if (rule === 'lowest') return `Cel mai mic preț din ultimele 30 de zile, ${less} minimul de până acum`;
  if (rule === 'mean') return `Prețul minim este ${less} media ultimelor 7 zile`;
  return `Prețul minim este ${less} cel din ${since?.split('-').reverse().join('.')}`;
}

/** Two decimals, or three if the third is not 0. */
function formatLei(price: MilliPrice): string {
  return (price / 1000).toFixed(price % 10 === 0 ? 2 : 3).replace('.', ',');
}
