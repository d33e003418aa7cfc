/**
 * Fields for a place: suggests places of the gazetteer while somebody types, as a combobox whose choice fills the
 * field. Source: W3C, ARIA Authoring Practices Guide, "Editable Combobox With List Autocomplete". Without this code the
 * browser proposes the largest cities.
 */
import { type Suggestion, suggestWhileTyping } from './search.ts';

/** The address of the suggested places for a text. */
export function placesUrl(language: string, text: string): string {
  return `/sugestii?${new URLSearchParams({ fel: 'locuri', limba: language, q: text })}`;
}

/** The option after a key: -1 = none, the field itself, which lies between the last and the first. */
export function optionAfter(key: string, active: number, count: number): number {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key] ?? 0;
  const stops = count + 1;
  return ((active + 1 + step + stops) % stops) - 1;
}

/** Starts the field in an element. */
export function startPlaceField(element: HTMLElement): void {
  const field = element.querySelector('input');
  if (field === null) return;
  const list = listOf(field, element);
  let active = -1;
  const activate = (option: number): void => {
    active = option;
    for (const [index, item] of [...list.children].entries()) item.ariaSelected = String(index === active);
    const item = list.children[active];
    if (item === undefined) field.removeAttribute('aria-activedescendant');
    else field.setAttribute('aria-activedescendant', item.id);
    item?.scrollIntoView({ block: 'nearest' });
  };
  const open = (isOpen: boolean): void => {
    list.hidden = !isOpen;
    field.ariaExpanded = String(isOpen);
    activate(-1);
  };
  const choose = (name: string): void => {
    field.value = name;
    open(false);
  };
  suggestWhileTyping(field, placesUrl, (found) => {
    list.replaceChildren(...found.map((each, index) => placeOption(each, `${list.id}-${index}`, choose)));
    open(found.length > 0 && field.ownerDocument.activeElement === field);
  });
  field.addEventListener('blur', () => open(false));
  field.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const { key } = event;
    const chosen = list.children[active]?.firstChild?.textContent ?? null;
    if (key === 'Escape') open(false);
    else if (key === 'Enter' && chosen !== null) choose(chosen);
    else if (key === 'ArrowDown' || key === 'ArrowUp') activate(optionAfter(key, active, list.children.length));
    else return;
    event.preventDefault();
  });
}

/** Makes the field a combobox with an empty list, which lies outside its label. */
function listOf(field: HTMLInputElement, element: HTMLElement): HTMLUListElement {
  const list = document.createElement('ul');
  list.id = `${field.name}-sugestii`;
  list.role = 'listbox';
  list.ariaLabel = element.dataset.suggestions ?? '';
  list.hidden = true;
  field.removeAttribute('list');
  field.role = 'combobox';
  field.ariaAutoComplete = 'list';
  field.ariaExpanded = 'false';
  field.setAttribute('aria-controls', list.id);
  element.append(list);
  return list;
}

function placeOption({ name, note }: Suggestion, id: string, choose: (name: string) => void): HTMLLIElement {
  const item = document.createElement('li');
  const about = document.createElement('span');
  item.id = id;
  item.role = 'option';
  about.textContent = note;
  item.append(name, about);
  // The field keeps the focus.
  item.addEventListener('pointerdown', (event) => event.preventDefault());
  item.addEventListener('mousedown', (event) => event.preventDefault());
  item.addEventListener('click', () => choose(name));
  return item;
}

if (typeof document !== 'undefined')
  for (const element of document.querySelectorAll<HTMLElement>('.place-field')) startPlaceField(element);
