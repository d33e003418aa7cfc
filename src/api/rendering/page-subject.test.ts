import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOME_DETAILS } from '../../../test/support/database/stored-push.ts';
import { ROAD_FUELS } from '../../domain/fuel.ts';
import { alertMessage } from './alert-message.ts';
import { pagePath, pageSubject } from './page-subject.ts';

test('the page of a city and fuel has that city and fuel as its subject', () => {
  for (const fuel of ROAD_FUELS) {
    assert.deepEqual(pageSubject(pagePath('cluj-napoca', fuel)), { city: 'cluj-napoca', fuel });
    assert.deepEqual(pageSubject(pagePath(null, fuel)), {});
  }
});

test('an alert links to the page of its city and fuel; an alert about the country, to the home page', () => {
  const url = (city: string | null) =>
    JSON.parse(alertMessage({ city, fuel: 'diesel_premium', price: 9_000, details: SOME_DETAILS }).payload).url;
  assert.deepEqual([url('targu-mures'), url(null)], ['/preturi-carburanti/targu-mures/motorina-premium', '/']);
});
