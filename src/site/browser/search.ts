/**
 * Live search: while somebody types into the search form, shows places, stations and networks below it. Without this
 * code the form leads to the page of results.
 */

export type Suggestion = { readonly name: string; readonly note: string; readonly path: string };

/** Waits this long after the last key. */
const TYPING_PAUSE_MS = 150;

/** The address of the suggestions for a text. */
export function suggestionsUrl(language: string, text: string): string {
  return `/sugestii?${new URLSearchParams({ limba: language, q: text })}`;
}

/** Starts the live search of a form with one search field and a list for the suggestions. */
export function startSearch(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>('input[type="search"]');
  const list = form.querySelector<HTMLUListElement>('ul');
  if (field === null || list === null) return;
  suggestWhileTyping(field, suggestionsUrl, (found) => {
    list.replaceChildren(...found.map(suggestionItem));
    list.hidden = found.length === 0;
  });
  form.addEventListener('keydown', (event) => moveFocus(event, field, list));
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !form.contains(relatedTarget)) list.hidden = true;
  });
}

/**
 * Shows the suggestions for what is in a field once somebody pauses; an answer that another text overtook is left out.
 */
export function suggestWhileTyping(
  field: HTMLInputElement,
  urlOf: (language: string, text: string) => string,
  show: (found: readonly Suggestion[]) => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  const ask = async (): Promise<void> => {
    latest += 1;
    const own = latest;
    const text = field.value.trim();
    const found = text.length < 2 ? [] : await readSuggestions(urlOf(document.documentElement.lang, text));
    if (own === latest) show(found);
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), TYPING_PAUSE_MS);
  });
}

/** Asks the server; nothing is found while it cannot be reached. */
async function readSuggestions(url: string): Promise<readonly Suggestion[]> {
  try {
    const response = await fetch(url);
    return response.ok ? ((await response.json()) as Suggestion[]) : [];
  } catch {
    return [];
  }
}

function suggestionItem({ name, note, path }: Suggestion): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const about = document.createElement('span');
  link.href = path;
  link.textContent = name;
  about.textContent = note;
  link.append(about);
  item.append(link);
  return item;
}

/** Arrow keys move between the field and the suggestions; Escape closes them. */
function moveFocus(event: KeyboardEvent, field: HTMLElement, list: HTMLUListElement): void {
  const stops = [field, ...list.querySelectorAll('a')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    list.hidden = true;
    field.focus();
  }
  if (step === undefined || list.hidden) return;
  event.preventDefault();
  const next = stops.indexOf(document.activeElement as HTMLElement) + step;
  stops.at(next % stops.length)?.focus();
}

if (typeof document !== 'undefined')
  for (const form of document.querySelectorAll<HTMLFormElement>('form.search')) startSearch(form);
