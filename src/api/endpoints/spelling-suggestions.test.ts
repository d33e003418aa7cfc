import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { SpellingSuggestions } from './spelling-suggestions.ts';

let now: number;
let searched: string[];
let suggestions: SpellingSuggestions;
beforeEach(() => {
  now = 0;
  searched = [];
  const search = (text: string) => {
    searched.push(text);
    return [`near ${text}`];
  };
  suggestions = new SpellingSuggestions({ search, clock: () => now });
});

let names = 0;
/** How many of `times` unknown names, each of them new, get a suggestion. */
function suggested(client: string, times: number): number {
  const found = Array.from({ length: times }, () => {
    names += 1;
    return suggestions.find(`name ${names}`, client);
  });
  return found.filter((labels) => labels.length > 0).length;
}

describe('suggestions of places', () => {
  it('are searched for once, however often a name comes', () => {
    for (let time = 0; time < 100; time += 1) assert.deepEqual(suggestions.find('Trda', '192.0.2.1'), ['near Trda']);
    assert.deepEqual(searched, ['Trda']);
  });

  it('forget the name that was used longest ago', () => {
    for (let at = 0; at < 2_001; at += 1) {
      now += 1_000;
      suggestions.find(`unknown ${at}`, '192.0.2.1');
      suggestions.find('Trda', '192.0.2.2');
    }
    const before = searched.length;
    suggestions.find('Trda', '192.0.2.3');
    suggestions.find('unknown 2000', '192.0.2.3');
    assert.equal(searched.length, before);
    suggestions.find('unknown 0', '192.0.2.3');
    assert.equal(searched.length, before + 1);
  });

  it('are 10 for a client, then one a second, while others get theirs', () => {
    assert.equal(suggested('192.0.2.1', 1_000), 10);
    assert.equal(searched.length, 10);
    assert.equal(suggested('198.51.100.1', 1), 1);
    now += 3_000;
    assert.equal(suggested('192.0.2.1', 1_000), 3);
  });

  it('are 20 for a network, then 5 a second, while others get theirs', () => {
    const ofNetwork = (at: number) => `2001:db8:1:${at.toString(16)}::/64`;
    const all = Array.from({ length: 1_000 }, (_, at) => suggested(ofNetwork(at), 10));
    assert.equal(
      all.reduce((sum, each) => sum + each, 0),
      20,
    );
    assert.equal(suggested('2001:db8:2::/64', 1), 1);
  });

  it('are 100 for all clients together, then 50 a second', () => {
    const flood = () => Array.from({ length: 1_000 }, (_, at) => suggested(`10.${at >> 8}.${at & 255}.1`, 1));
    assert.equal(flood().filter((each) => each > 0).length, 100);
    now += 1_000;
    assert.equal(flood().filter((each) => each > 0).length, 50);
  });
});
