/** The addresses of the Atom feeds with the changes of a city or a station. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';

/** By the part of the address of its page: a city's slug, a station's name and id. */
export type FeedPlace = { readonly kind: 'city' | 'station'; readonly slug: string };

export type FeedAddress = FeedPlace & { readonly language: Language };

const FILE: LocalizedText = { ro: 'modificari.atom', en: 'changes.atom' };

/** `/preturi-carburanti/cluj-napoca/modificari.atom`. */
export function changeFeedPath({ kind, slug }: FeedPlace, language: Language): string {
  const page =
    kind === 'city' ? routePath('city', language, { city: slug }) : routePath('station', language, { station: slug });
  return `${page}/${FILE[language]}`;
}

const ADDRESSES = (['ro', 'en'] as const).flatMap((language) =>
  (['city', 'station'] as const).map((kind) => {
    const [before = '', after = ''] = changeFeedPath({ kind, slug: '!' }, language).split('!');
    return { kind, language, before, after };
  }),
);

/** What a path asks for, by its form alone; `undefined` = no feed has such a path. */
export function changeFeedAt(path: string): FeedAddress | undefined {
  for (const { kind, language, before, after } of ADDRESSES) {
    if (!path.startsWith(before) || !path.endsWith(after)) continue;
    const slug = path.slice(before.length, -after.length);
    if (/^[a-z0-9-]+$/.test(slug)) return { kind, slug, language };
  }
  return undefined;
}
