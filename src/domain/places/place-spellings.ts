import type { Locality } from './locality.ts';
import { foldName } from './place-names.ts';

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  tg: 'targu',
  rm: 'ramnicu',
  sf: 'sfantu',
  gh: 'gheorghe',
  dr: 'drobeta',
  tr: 'turnu',
};

const RANK = /^(municipiul|mun|orasul|oras|or|comuna|com|satul|sat|localitatea|loc) (?=.)/;

/**
 * The ways to read a folded place name, as written first: abbreviations spelled out (`tg mures`, `dr tr severin`), then without the rank in front
 * (`municipiul iasi`, `com floresti`). As written comes first, so that a place really called so is found.
 */
export function spellingVariants(folded: string): string[] {
  const spelledOut = spellOut(folded);
  const withoutRank = folded.replace(RANK, '');
  return [...new Set([folded, spelledOut, withoutRank, spellOut(withoutRank)])];
}

function spellOut(folded: string): string {
  return folded
    .split(' ')
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(' ');
}

/** The other names that a place is found by, folded: its own, and the spelling of before 1993 (`Târgu Jiu`: `tirgu jiu`) if it had another. */
export function alternateNames({ name, alternates }: Locality): readonly string[] {
  const older = name.replaceAll('â', 'î').replaceAll('Â', 'Î');
  return older === name ? alternates : [foldName(older), ...alternates];
}
