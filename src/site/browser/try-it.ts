/**
 * "Try it": sends the requests of the documentation from the reader's browser and shows the answers. The reader's key
 * stays in a field of the page: it is neither stored nor put into an address. Without this code the page has commands.
 */
import { answerHead, apiRequest, readableBody, type TypedValue } from './api-request.ts';

const TIMEOUT_MS = 30_000;

/** Where an answer is shown. */
type AnswerView = { readonly status: HTMLElement; readonly body: HTMLElement; readonly more: HTMLElement };

/** Starts the form of one endpoint; `key` gives the key as it is typed now. */
export function startTrial(form: HTMLFormElement, key: () => string): void {
  const button = form.querySelector('button');
  const [status, body, more] = ['.trial-status', '.trial-body', '.trial-more'].map((part) =>
    form.querySelector<HTMLElement>(part),
  );
  if (button === null || !status || !body || !more) return;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    status.textContent = form.dataset.sending ?? '';
    try {
      await send(form, key(), { status, body, more });
    } catch {
      status.textContent = form.dataset.failed ?? '';
      body.hidden = true;
      more.hidden = true;
    }
    button.disabled = false;
  });
}

/** Rejects if there is no answer within 30 s, or the key cannot be a header. */
async function send(form: HTMLFormElement, key: string, view: AnswerView): Promise<void> {
  const { method = '', path = '' } = form.dataset;
  const { target, ...request } = apiRequest({ method, path }, typedValues(form), key);
  const started = performance.now();
  // Followed nowhere: a key is for this origin only.
  const response = await fetch(target, {
    ...request,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  const ms = performance.now() - started;
  const { text: shown, isShortened } = readableBody(text);
  view.status.textContent = answerHead(response, { ms, bytes: new TextEncoder().encode(text).length });
  view.body.textContent = shown;
  view.body.hidden = false;
  view.more.hidden = !isShortened;
}

function typedValues(form: HTMLFormElement): TypedValue[] {
  return [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')].map(
    ({ name, value, dataset }) => ({
      name,
      value: value.trim(),
      in: dataset.in as TypedValue['in'],
      type: dataset.type ?? '',
    }),
  );
}

function startTrials(page: Document): void {
  const key = page.querySelector<HTMLInputElement>('.trial-key input');
  for (const part of page.querySelectorAll<HTMLElement>('.trial-key, .trial')) part.hidden = false;
  for (const form of page.querySelectorAll<HTMLFormElement>('.trial form')) startTrial(form, () => key?.value ?? '');
}

if (typeof document !== 'undefined') startTrials(document);
