/**
 * Favourites: a star on the page of a city or station, and the list of them on the home page. They are kept in this
 * browser alone, and sent to nobody: their prices come out of the file of all stations.
 */
import type { FavouriteSettings } from './favourite-prices.ts';
import {
  documentLanguage,
  forgetPage,
  isSaved,
  pageLink,
  pageOfElement,
  type SavedPage,
  savedPages,
  savePage,
} from './saved-pages.ts';

const FAVOURITES = 'favorite';

/** Starts the star of a page. */
function startStar(button: HTMLButtonElement): void {
  const page = pageOfElement(button);
  if (page === null) return;
  const show = (isOn: boolean): void => {
    button.setAttribute('aria-pressed', String(isOn));
    button.textContent = `${isOn ? '★' : '☆'} ${(isOn ? button.dataset.remove : button.dataset.add) ?? ''}`;
  };
  show(isSaved(localStorage, FAVOURITES, page));
  button.classList.remove('needs-code');
  button.addEventListener('click', () => {
    const isOn = !isSaved(localStorage, FAVOURITES, page);
    if (isOn) savePage(localStorage, FAVOURITES, page);
    else forgetPage(localStorage, FAVOURITES, page.paths.ro);
    show(isOn);
    if (isOn) void cacheOfflinePage();
  });
}

/** Shows the list, if anything is in it. */
function showFavourites(section: HTMLElement): void {
  const settings = JSON.parse(section.dataset.settings ?? '{}') as FavouriteSettings;
  const list = section.querySelector('ul');
  const pages = savedPages(localStorage, FAVOURITES);
  const items = pages.map((page) => listItem(page, settings, section));
  list?.replaceChildren(...items);
  section.hidden = items.length === 0;
  if (items.length > 0) void showPrices(pages, items, settings);
}

function listItem(page: SavedPage, { texts }: FavouriteSettings, section: HTMLElement): HTMLLIElement {
  const item = document.createElement('li');
  const about = document.createElement('div');
  const prices = document.createElement('span');
  prices.textContent = '…';
  about.append(pageLink(page), prices);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'action';
  button.textContent = texts.remove;
  button.ariaLabel = texts.removeOne.replace('%', page.names[documentLanguage()]);
  button.addEventListener('click', () => {
    const at = [...section.querySelectorAll('button')].indexOf(button);
    forgetPage(localStorage, FAVOURITES, page.paths.ro);
    showFavourites(section);
    const left = section.querySelectorAll('button');
    (left[at] ?? left[at - 1])?.focus();
  });
  item.append(about, button);
  return item;
}

/** Most visitors have no favourites. */
async function showPrices(pages: readonly SavedPage[], items: readonly HTMLElement[], settings: FavouriteSettings) {
  const { priceWords, readPrices } = await import('./favourite-prices.ts');
  const file = await readPrices(settings.file);
  for (const [index, page] of pages.entries()) {
    const prices = items[index]?.querySelector('span');
    if (prices) prices.textContent = file === null ? '' : priceWords(page.paths.ro, file, settings, documentLanguage());
  }
}

/** Somebody who keeps favourites comes back, perhaps without a connection. */
async function cacheOfflinePage(): Promise<void> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  const { registerWorker, trustedWorkerUrl } = await import('./push-registrations.ts');
  await registerWorker({ serviceWorker: navigator.serviceWorker, workerUrl: trustedWorkerUrl() }, '/').catch(
    () => null,
  );
}

function startFavourites(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.star')) startStar(button);
  const sections = document.querySelectorAll<HTMLElement>('.favourites');
  for (const section of sections) showFavourites(section);
  // A browser that goes back shows the page as it was left.
  addEventListener('pageshow', () => {
    for (const section of sections) showFavourites(section);
  });
}

if (typeof document !== 'undefined') startFavourites();
