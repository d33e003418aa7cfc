import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SOME_DETAILS } from '../../../test/support/database/stored-push.ts';
import { type AlertContent, alertMessage, notificationText } from './alert-message.ts';

const ALERT: AlertContent = { city: null, fuel: 'petrol', price: 7_190, details: SOME_DETAILS };
const textOf = (details: Partial<AlertContent['details']>, price = 7_190) =>
  notificationText({ ...ALERT, price, details: { ...SOME_DETAILS, ...details } });

describe('an alert', () => {
  test('states the fuel, price and place, and which rule fired at which station', () => {
    assert.deepEqual(textOf({}), {
      title: 'Benzină standard: 7,19 lei/l în România',
      body: 'Prețul minim este cu 0,16 lei sub cel din 19.11.2026: Petrom, Calea Turzii 178, Cluj-Napoca.',
    });
    const lowest = textOf({
      rule: 'lowest',
      since: null,
      city: 'Cluj-Napoca',
      address: 'Cluj-Napoca, Calea Turzii 178',
    });
    assert.equal(lowest.title, 'Benzină standard: 7,19 lei/l în Cluj-Napoca');
    assert.match(
      lowest.body,
      /^Cel mai mic preț din ultimele 30 de zile, cu 0,16 lei sub .*: Petrom, Cluj-N[^,]*, [^,]*$/,
    );
    assert.match(textOf({ rule: 'mean', since: null }).body, /cu 0,16 lei sub media ultimelor 7 zile: /);
    assert.match(textOf({ simulated: true }).title, /^\[SIMULAT\] /);
  });

  test('shows every digit that customers pay', () => {
    const titles = [7_190, 7_459, 7_400, 7_000].map((price) => textOf({}, price).title);
    assert.deepEqual(
      titles.map((title) => /: (\S+) lei/.exec(title)?.[1]),
      ['7,19', '7,459', '7,40', '7,00'],
    );
  });

  test('replaces an earlier one of its city and fuel, and no other', () => {
    const about: Pick<AlertContent, 'city' | 'fuel'>[] = [
      { city: null, fuel: 'petrol' },
      { city: null, fuel: 'diesel' },
      { city: 'cluj-napoca', fuel: 'petrol' },
      { city: 'turda', fuel: 'petrol' },
    ];
    const topics = about.map((subject) => alertMessage({ ...ALERT, ...subject }).topic);
    assert.equal(new Set(topics).size, about.length);
    assert.ok(topics.every((topic) => /^[\w-]{1,32}$/.test(topic)));
    assert.equal(alertMessage({ ...ALERT, price: 7_000 }).topic, topics[0]);
  });
});
