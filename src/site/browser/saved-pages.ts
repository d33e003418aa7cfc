/** Pages that somebody chose, kept in this browser alone: each with its name and path in both languages. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';

export type SavedPage = { readonly names: LocalizedText; readonly paths: LocalizedText };

/** The part of the browser's storage that is used. */
export type PageStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** The pages of one list, in the order in which they were chosen; anything unreadable is left out. */
export function savedPages(storage: PageStorage, list: string): SavedPage[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(list) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSavedPage) : [];
  } catch {
    return [];
  }
}

/** Whether a list has a page, by its Romanian path. */
export function isSaved(storage: PageStorage, list: string, { paths }: SavedPage): boolean {
  return savedPages(storage, list).some((each) => each.paths.ro === paths.ro);
}

/** Adds a page at the end of a list; its names and paths replace earlier ones. */
export function savePage(storage: PageStorage, list: string, page: SavedPage): void {
  store(storage, list, [...savedPages(storage, list).filter((each) => each.paths.ro !== page.paths.ro), page]);
}

/** Takes the page with a Romanian path out of a list. */
export function forgetPage(storage: PageStorage, list: string, path: string): void {
  store(
    storage,
    list,
    savedPages(storage, list).filter(({ paths }) => paths.ro !== path),
  );
}

/** The page that an element is about, from its `data-page`. */
export function pageOfElement(element: HTMLElement): SavedPage | null {
  const page: unknown = JSON.parse(element.dataset.page ?? 'null');
  return isSavedPage(page) ? page : null;
}

/** The language of the document. */
export function documentLanguage(): Language {
  return document.documentElement.lang === 'en' ? 'en' : 'ro';
}

/** A link to a page, in the language of the document. */
export function pageLink({ names, paths }: SavedPage): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = paths[documentLanguage()];
  link.textContent = names[documentLanguage()];
  return link;
}

/** A browser may refuse to store anything: then the choice lasts as long as the page. */
function store(storage: PageStorage, list: string, pages: readonly SavedPage[]): void {
  try {
    storage.setItem(list, JSON.stringify(pages));
  } catch {}
}

function isSavedPage(value: unknown): value is SavedPage {
  const { names, paths } = Object(value) as Partial<SavedPage>;
  return isLocalized(names) && isLocalized(paths) && isOwnPath(paths.ro) && isOwnPath(paths.en);
}

function isLocalized(value: unknown): value is LocalizedText {
  const { ro, en } = Object(value) as Partial<LocalizedText>;
  return typeof ro === 'string' && typeof en === 'string';
}

function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path);
}
