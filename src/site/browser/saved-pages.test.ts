import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgetPage, isSaved, savedPages, savePage } from './saved-pages.ts';

function aStorage(content: Record<string, string> = {}) {
  const items = new Map(Object.entries(content));
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
}

const page = (slug: string, name = slug) => ({
  names: { ro: name, en: name },
  paths: { ro: `/preturi-carburanti/${slug}`, en: `/en/fuel-prices/${slug}` },
});

test('a page is kept once, until it is forgotten', () => {
  const storage = aStorage();
  savePage(storage, 'list', page('cluj-napoca'));
  savePage(storage, 'list', page('turda'));
  savePage(storage, 'list', page('cluj-napoca', 'Cluj-Napoca'));
  assert.deepEqual(savedPages(storage, 'list'), [page('turda'), page('cluj-napoca', 'Cluj-Napoca')]);
  assert.ok(isSaved(storage, 'list', page('turda')));
  forgetPage(storage, 'list', '/preturi-carburanti/turda');
  assert.ok(!isSaved(storage, 'list', page('turda')));
  assert.deepEqual(savedPages(storage, 'another'), []);
});

test('what no version of the site has stored is left out, and a link never leads to another site', () => {
  const bad = [null, 7, {}, { names: page('a').names }, { ...page('a'), paths: { ro: '//example.org', en: '/en' } }];
  const script = { ...page('a'), paths: { ro: 'javascript:alert(1)', en: '/en' } };
  const storage = aStorage({ list: JSON.stringify([...bad, script, page('b')]), broken: '{', other: '{"a":1}' });
  assert.deepEqual(savedPages(storage, 'list'), [page('b')]);
  assert.deepEqual([...savedPages(storage, 'broken'), ...savedPages(storage, 'other')], []);
});

test('a browser that stores nothing does no harm', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('the storage is full');
    },
  };
  savePage(full, 'list', page('turda'));
  assert.deepEqual(savedPages(full, 'list'), []);
});
