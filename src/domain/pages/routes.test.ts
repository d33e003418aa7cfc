import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROAD_FUELS } from '../fuel.ts';
import { FUEL_SLUG, fuelOfSlug } from './fuel-slug.ts';
import { EXPECTED_PATHS, matchRoute, ROUTES, type RouteName, routePath } from './routes.ts';

describe('the addresses of pages', () => {
  it('lead back to the route, the language and the segments that they were written from', () => {
    for (const name of Object.keys(ROUTES) as RouteName[]) {
      for (const language of ['ro', 'en'] as const) {
        const parameters = Object.fromEntries(
          [...ROUTES[name][language].matchAll(/:(\w+)/g)].map(([, key = ''], index) => [key, `segment-${index}`]),
        );
        const path = (routePath as (...all: unknown[]) => string)(name, language, parameters);
        assert.deepEqual(matchRoute(path), { name, language, parameters });
      }
    }
  });

  it('encode what a segment may not contain', () => {
    assert.equal(routePath('city', 'ro', { city: 'a/b?c' }), '/preturi-carburanti/a%2Fb%3Fc');
  });

  it('are pages where an address that people expect leads to, and that address is none', () => {
    assert.equal(EXPECTED_PATHS.get('/en/api'), '/docs/en');
    for (const [path, target] of EXPECTED_PATHS) {
      assert.equal(matchRoute(path), undefined, path);
      assert.ok(matchRoute(target), target);
    }
  });

  it('match neither an empty segment nor one too many', () => {
    for (const path of ['/preturi-carburanti', '/preturi-carburanti/', '/statie/a/b', '/toString', '/EN', '']) {
      assert.equal(matchRoute(path), undefined, path);
    }
  });
});

describe('fuels in addresses', () => {
  it('have one word in each language', () => {
    for (const language of ['ro', 'en'] as const) {
      for (const fuel of ROAD_FUELS) assert.equal(fuelOfSlug(FUEL_SLUG[language][fuel], language), fuel);
    }
    assert.equal(fuelOfSlug('benzina', 'en'), undefined);
    assert.equal(fuelOfSlug('toString', 'ro'), undefined);
  });
});
