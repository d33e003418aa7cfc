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
 * The ways to read a folded place name: as written, with abbreviations spelled out (`tg mures`, `dr tr severin`), and
 * without the rank in front (`municipiul iasi`, `com floresti`). As written comes first, so that a place with exactly
 * that name is found.
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

/**
 * The alternative names of a place, folded: its own, and the spelling used before 1993 if that differs (`Târgu Jiu`:
 * `tirgu jiu`).
 */
export function alternateNames({ name, alternates }: Locality): readonly string[] {
  const older = name.replaceAll('â', 'î').replaceAll('Â', 'Î');
  return older === name ? alternates : [foldName(older), ...alternates];
}
