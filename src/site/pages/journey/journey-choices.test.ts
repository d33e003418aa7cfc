import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choicesOf, choicesQuery, USUAL_CHOICES } from './journey-choices.ts';

const read = (query: string) => choicesOf(new URLSearchParams(query));

describe('the choices of a journey', () => {
  it('are as usual where the query says nothing, or nothing that makes sense', () => {
    for (const query of ['', 'raza=0&litri=-3&consum=abc&ora=&tip=apa', 'litri=1e3&raza=Infinity&ora=0x10'])
      assert.deepEqual(read(query), USUAL_CHOICES, query);
  });

  it('are read with a decimal comma and a fuel in either language, up to the largest values', () => {
    assert.deepEqual(read('tip=motorina&raza=99&litri=45,5&consum=6.5&ora=60'), {
      ...{ fuel: 'diesel', radiusKm: 15, litres: 45.5, litresPer100Km: 6.5, hourLei: 60 },
    });
    assert.equal(read('tip=premium-petrol').fuel, 'petrol_premium');
  });

  it('are written only where they are not the usual ones, and read back the same', () => {
    assert.equal(choicesQuery(USUAL_CHOICES, 'ro'), '');
    const choices = { ...USUAL_CHOICES, fuel: 'diesel', litres: 45.5, hourLei: 60 } as const;
    assert.equal(choicesQuery(choices, 'ro'), '?tip=motorina&litri=45.5&ora=60');
    for (const language of ['ro', 'en'] as const) assert.deepEqual(read(choicesQuery(choices, language)), choices);
  });
});
