/**
 * Forms that also take a text: shows the fields for it, and gets a token from the captcha when the form is sent with
 * one of them filled in. Without this code such a form is sent without a text.
 */
import type { Challenge } from '../../domain/access/proof-of-work.ts';
import type { Recaptcha } from './recaptcha.ts';

/** Where tokens come from: each is good for one form. */
type TokenSource = {
  /** Called once a visitor touches a field: what takes time may begin. */
  prepare(): void;
  /** Rejects if there is none now; may be called again. */
  token(): Promise<string>;
};

/** Starts a form whose page says how its text is checked: by our challenges, or by a captcha elsewhere. */
export function startTextForm(form: HTMLFormElement): void {
  const text = form.querySelector<HTMLFieldSetElement>('fieldset[data-challenge], fieldset[data-site-key]');
  const token = form.querySelector<HTMLInputElement>('input[name="recaptcha_token"]');
  const status = form.querySelector<HTMLElement>('[role="status"]');
  const button = form.querySelector<HTMLButtonElement>('button');
  if (text === null || token === null || status === null || button === null) return;
  const source = tokenSource(text.dataset, form.ownerDocument);
  if (source === null) return;
  text.hidden = false;
  text.disabled = false;
  text.addEventListener('focusin', () => source.prepare());
  const send = async (): Promise<void> => {
    button.disabled = true;
    status.textContent = status.dataset.working ?? '';
    try {
      token.value = await source.token();
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

function tokenSource({ challenge, siteKey }: DOMStringMap, page: Document): TokenSource | null {
  if (challenge !== undefined) return { prepare: () => void loadSolver(), token: () => solvedChallenge(challenge) };
  if (siteKey === undefined) return null;
  let recaptcha: Promise<Recaptcha> | undefined;
  const load = () => {
    recaptcha ??= import('./recaptcha.ts').then(({ Recaptcha }) => new Recaptcha(siteKey, page));
    return recaptcha;
  };
  return {
    prepare: () => void load().then((loaded) => loaded.load()),
    token: async () => (await load()).token(),
  };
}

/** Whether any field has more than blanks. */
function hasText(fields: HTMLFieldSetElement): boolean {
  return [...fields.querySelectorAll<HTMLInputElement>('input[type="text"], textarea')].some(
    ({ value }) => value.trim() !== '',
  );
}

/** Most visitors write no text: what solves challenges is loaded for those who do. */
const loadSolver = () => import('./proof-of-work.ts');

async function solvedChallenge(path: string): Promise<string> {
  const [{ solve }, response] = await Promise.all([loadSolver(), fetch(path)]);
  if (!response.ok) throw new Error(`no challenge: ${response.status}`);
  return solve((await response.json()) as Challenge);
}

if (typeof document !== 'undefined')
  for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]')) startTextForm(form);
