/** The form of a webhook, new or known: its address, filter and kinds. */
import { kindField, type TypedWebhook, type WebhooksView } from '../../../domain/billing/webhooks-view.ts';
import { CHANGE_KINDS } from '../../../domain/changes/served-change.ts';
import { FUEL_NAME, FUELS } from '../../../domain/fuel.ts';
import { FUEL_CODE } from '../../../domain/fuel-codes.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { MAX_URL_LENGTH, type Webhook } from '../../../domain/webhooks/webhook.ts';
import { type Html, html } from '../../html/html-template.ts';
import { KIND_TEXTS, WEBHOOK_TEXTS as TEXTS } from './webhook-texts.ts';

/** What is in the form of a new webhook at first. */
export const NEW_WEBHOOK: TypedWebhook = {
  ...{ key: '', url: '', fuel: '', county: '', city: '', network: '', stations: '', kinds: CHANGE_KINDS },
};

/** What is in the form of a known one at first. */
export function typedOf({ url, filter, kinds }: Webhook): TypedWebhook {
  const { fuel, county, city, network, stations } = filter;
  return {
    ...{ key: '', url, fuel: fuel === null ? '' : FUEL_CODE[fuel], county: county ?? '', city: city ?? '' },
    ...{ network: network ?? '', stations: (stations ?? []).join(' '), kinds },
  };
}

type FormOptions = {
  /** What is in it. */
  readonly typed: TypedWebhook;
  /** Hidden fields that say what it does. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Between the fields and the button. */
  readonly more: Html | null;
  readonly button: string;
};

/** The form; a field that the view finds fault with points to the problem. */
export function webhookForm(view: WebhooksView, { typed, hidden, more, button }: FormOptions): Html {
  const { language, formToken, problem } = view;
  const wrong = problem?.kind === 'filter' ? problem.fault.field : null;
  const fuels = FUELS.map(
    (fuel) =>
      html`<option value="${FUEL_CODE[fuel]}"${FUEL_CODE[fuel] === typed.fuel ? html` selected` : null}>${FUEL_NAME[fuel][language]}</option>`,
  );
  const field = (name: 'county' | 'city' | 'network') => {
    const isWrong = wrong === name || (name === 'city' && wrong === 'city in county');
    return html`<label>${TEXTS[name][language]} <input type="text" name="${name}" value="${typed[name]}" maxlength="100" autocomplete="off"${isWrong ? INVALID : null}></label>\n`;
  };
  const kinds = CHANGE_KINDS.map(
    (kind) =>
      html`<label class="choice"><input type="checkbox" name="${kindField(kind)}" value="on"${typed.kinds.includes(kind) ? html` checked` : null}> <span>${KIND_TEXTS[kind][language]}</span></label>\n`,
  );
  const noKind = problem?.kind === 'no kind' || wrong === 'kinds';
  return html`<form class="rate" method="post" action="${BILLING_PATHS.accountWebhooks[language]}">
<label>${TEXTS.url[language]} <input type="text" inputmode="url" name="url" value="${typed.url}" placeholder="https://" maxlength="${MAX_URL_LENGTH}" required autocomplete="off" autocapitalize="none" spellcheck="false"${problem?.kind === 'address' ? INVALID : null}></label>
<label>${TEXTS.fuel[language]} <select name="fuel"><option value="">${TEXTS.all[language]}</option>${fuels}</select></label>
${field('county')}${field('city')}${field('network')}<label>${TEXTS.stationList[language]} <textarea name="stations" rows="2" autocomplete="off" autocapitalize="none" spellcheck="false"${wrong === 'stations' || problem?.kind === 'too many stations' ? INVALID : null}>${typed.stations}</textarea></label>
<fieldset${noKind ? DESCRIBED : null}><legend>${TEXTS.kindList[language]}</legend>
${kinds}</fieldset>
${more}<p>${Object.entries({ form: formToken, ...hidden }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button type="submit">${button}</button></p>
</form>
`;
}

const DESCRIBED = html` aria-describedby="webhook-problem"`;
const INVALID = html` aria-invalid="true" aria-describedby="webhook-problem"`;
