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
 * (`municipiul iasi`, `com floresti`). As written comes first because there are places called `Satu Mare` and `Sat Bătrân`.
 */
export function readings(folded: string): string[] {
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

/** The spelling of before 1993 of a name with diacritics: `Târgu Jiu` → `Tîrgu Jiu`. The same name when it has no `â`. */
export function olderSpelling(name: string): string {
  return name.replaceAll('â', 'î').replaceAll('Â', 'Î');
}
