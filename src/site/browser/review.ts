/**
 * Reviews with text: shows the fields for it, and solves a proof of work when the form is sent with one of them filled
 * in. Without this code the form sends stars only.
 */
import type { Challenge } from '../../domain/access/proof-of-work.ts';
import { solve } from './proof-of-work.ts';

/** Starts the form of a station's page, which names the address of the challenges. */
export function startReviewForm(form: HTMLFormElement): void {
  const text = form.querySelector<HTMLFieldSetElement>('fieldset[data-challenge]');
  const token = form.querySelector<HTMLInputElement>('input[name="recaptcha_token"]');
  const status = form.querySelector<HTMLElement>('[role="status"]');
  const button = form.querySelector<HTMLButtonElement>('button');
  const challengePath = text?.dataset.challenge;
  if (text === null || token === null || status === null || button === null || challengePath === undefined) return;
  text.hidden = false;
  text.disabled = false;
  const send = async (): Promise<void> => {
    button.disabled = true;
    status.textContent = status.dataset.working ?? '';
    try {
      token.value = await solvedChallenge(challengePath);
      form.submit();
    } catch {
      status.textContent = status.dataset.failed ?? '';
      button.disabled = false;
    }
  };
  form.addEventListener('submit', (event) => {
    if (!hasText(text)) return;
    event.preventDefault();
    void send();
  });
  // A browser that goes back to this page shows it as it was left.
  form.ownerDocument.defaultView?.addEventListener('pageshow', () => {
    button.disabled = false;
    status.textContent = '';
  });
}

/** Whether any field has more than blanks. */
function hasText(fields: HTMLFieldSetElement): boolean {
  return [...fields.querySelectorAll<HTMLInputElement>('input[type="text"], textarea')].some(
    ({ value }) => value.trim() !== '',
  );
}

/** The token of a fresh challenge: each is good for one review. */
async function solvedChallenge(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`no challenge: ${response.status}`);
  return solve((await response.json()) as Challenge);
}

if (typeof document !== 'undefined')
  for (const form of document.querySelectorAll<HTMLFormElement>('form.rate')) startReviewForm(form);
