/**
 * "Near me": asks the browser for the position when somebody taps the button, rounds it to about 100 m, and goes to the
 * page of the stations nearby. The button is hidden where no position can be had.
 */

type Position = { readonly latitude: number; readonly longitude: number };

const POSITION_DECIMALS = 3;
const WAIT_MS = 15_000;
/** A position that the browser found this recently is good enough. */
const RECENT_MS = 60_000;
/** The code of a refusal in the Geolocation API. */
const PERMISSION_DENIED = 1;

/** The address of the stations around a position; the target may have a query. */
export function nearbyAddress(target: string, { latitude, longitude }: Position): string {
  const query = new URLSearchParams({
    lat: latitude.toFixed(POSITION_DECIMALS),
    lng: longitude.toFixed(POSITION_DECIMALS),
  });
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

/** Shows the button of an element, in place of its link. */
export function startNearMe(element: HTMLElement): void {
  const button = element.querySelector('button');
  const status = element.querySelector<HTMLElement>('[role="status"]');
  if (button === null || status === null) return;
  const say = (text: string | undefined): void => {
    status.textContent = text ?? '';
  };
  button.hidden = false;
  button.classList.remove('needs-code');
  element.querySelector('a')?.remove();
  button.addEventListener('click', () => {
    say(status.dataset.asking);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        say('');
        location.assign(nearbyAddress(button.dataset.target ?? '', coords));
      },
      ({ code }) => say(code === PERMISSION_DENIED ? status.dataset.denied : status.dataset.failed),
      { timeout: WAIT_MS, maximumAge: RECENT_MS },
    );
  });
}

if (typeof document !== 'undefined' && isSecureContext && 'geolocation' in navigator)
  for (const element of document.querySelectorAll<HTMLElement>('.near-me')) startNearMe(element);
