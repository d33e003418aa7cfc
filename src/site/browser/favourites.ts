/**
 * Favourites: a star on the page of a city or station, and the list of them on the home page. They are kept in this
 * browser alone, and sent to nobody.
 */
import { forgetPage, isSaved, pageLink, pageOfElement, savedPages, savePage } from './saved-pages.ts';
import { workerUrl } from './worker-url.ts';

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
  const list = section.querySelector('ul');
  const items = savedPages(localStorage, FAVOURITES).map((page) => {
    const item = document.createElement('li');
    item.append(pageLink(page));
    return item;
  });
  list?.replaceChildren(...items);
  section.hidden = items.length === 0;
}

/** Somebody who keeps favourites comes back, perhaps without a connection. */
async function cacheOfflinePage(): Promise<void> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  const { registerWorker } = await import('./push-registrations.ts');
  await registerWorker({ serviceWorker: navigator.serviceWorker, workerUrl: workerUrl() }, '/').catch(() => null);
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
