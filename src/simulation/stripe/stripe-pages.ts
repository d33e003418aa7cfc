/** The pages of the simulated Stripe: payment, portal, and a console for what its customers cannot do themselves. */
import { PAID_PLANS } from '../../domain/billing/paid-plans.ts';
import { DELIVERY_MODES, type EventDelivery } from './event-delivery.ts';
import type { PaymentWorld } from './payment-world.ts';
import type { WireSubscription } from './wire-objects.ts';

export type PageRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
};
export type PageAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};
type Simulation = { readonly world: PaymentWorld; readonly delivery: EventDelivery };

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Answers a page, or does what one of its forms asks for. */
export function answerPage(simulation: Simulation, { method, path, query, body }: PageRequest): PageAnswer {
  const [, part = '', id = ''] = path.split('/');
  const form = new URLSearchParams(body);
  const isPost = method === 'POST';
  if (part === 'pay') return isPost ? pay(simulation, id, form) : payPage(simulation, id, null);
  if (part === 'portal') return portal(simulation, id, new URLSearchParams(query), isPost ? form : null);
  if (part !== '') return page('Nu există', '<p>Nu există această pagină.</p>', 404);
  if (!isPost) return consolePage(simulation);
  operate(simulation, form);
  return redirect('/');
}

function payPage({ world }: Simulation, id: string, problem: string | null, asksBank = false): PageAnswer {
  const checkout = world.state.checkouts[id];
  if (checkout?.status !== 'open')
    return page('Plata s-a încheiat', '<p>Această pagină de plată nu mai este deschisă.</p>', 404);
  const { asked } = checkout;
  const price = world.prices.find((each) => each.id === asked.line_items[0]?.price);
  const days = asked.subscription_data?.trial_period_days;
  const euros = (price?.unit_amount ?? 0) / 100;
  const first = days === undefined ? `${euros} EUR acum` : `${days} zile gratuit, apoi ${euros} EUR pe lună`;
  const buttons = asksBank
    ? [button('bank-yes', 'Banca aprobă (3-D Secure)'), button('bank-no', 'Banca refuză (3-D Secure)')]
    : [
        ...[button('pay', 'Plătește cu un card bun'), button('refuse', 'Plătește cu un card refuzat')],
        button('bank', 'Plătește cu un card care cere 3-D Secure'),
        button('later', 'Plătește cu un card care va fi refuzat la sfârșitul probei'),
      ];
  const content = `<p>Planul <strong>${escapeHtml(price?.lookup_key ?? '')}</strong>: ${first}.</p>
<p>E-mail: ${escapeHtml(asked.customer_email ?? '')}</p>${problem === null ? '' : `<p role="alert">${problem}</p>`}
<form method="post">${buttons.join(' ')}</form>
${asked.cancel_url === undefined ? '' : `<p><a href="${escapeHtml(asked.cancel_url)}">Renunță și întoarce-te</a></p>`}`;
  return page('Plată', content, problem === null ? 200 : 402);
}

function pay(simulation: Simulation, id: string, form: URLSearchParams): PageAnswer {
  const { world } = simulation;
  const action = form.get('action');
  if (action === 'bank') return payPage(simulation, id, null, true);
  if (action === 'refuse') return payPage(simulation, id, 'Cardul a fost refuzat. Încercați alt card.');
  if (action === 'bank-no') return payPage(simulation, id, 'Banca nu a aprobat plata. Încercați alt card.');
  const success = world.state.checkouts[id]?.success_url ?? '/';
  if (!world.completeCheckout(id, action === 'later')) return payPage(simulation, id, null);
  return redirect(success.replaceAll('{CHECKOUT_SESSION_ID}', id));
}

function portal(
  { world }: Simulation,
  customer: string,
  query: URLSearchParams,
  form: URLSearchParams | null,
): PageAnswer {
  const found = Object.values(world.state.subscriptions).filter((each) => each.customer === customer);
  if (world.state.customers[customer] === undefined) return page('Nu există', '<p>Nu există acest client.</p>', 404);
  if (form !== null) {
    const subscription = found.find(({ id }) => id === form.get('subscription'));
    const plan = PAID_PLANS.find((code) => code === form.get('plan'));
    const action = form.get('action');
    if (action === 'card') world.setCardRefused(customer, false);
    else if (subscription !== undefined && subscription.status !== 'canceled') {
      if (action === 'plan' && plan !== undefined) world.changePlan(subscription, plan);
      if (action === 'cancel' || action === 'keep') world.setCancellation(subscription, action === 'cancel');
    }
    return redirect(`/portal/${customer}?${query}`);
  }
  const invoices = Object.values(world.state.invoices).filter((each) => each.customer === customer);
  const back = query.get('return') ?? '';
  const content = `<form method="post">${button('card', 'Înlocuiește cardul cu unul bun')}</form>
${found.map((each) => portalSubscription(each)).join('')}
<h2>Facturi</h2><ul>${invoices.map((each) => `<li>${day(each.created)}: ${each.amount_due / 100} EUR, ${each.status}</li>`).join('')}</ul>
${/^https?:/.test(back) ? `<p><a href="${escapeHtml(back)}">Înapoi</a></p>` : ''}`;
  return page('Portalul clientului', content);
}

function portalSubscription(subscription: WireSubscription): string {
  const { id, status, cancel_at_period_end: isCancelled } = subscription;
  if (status === 'canceled') return `<h2>${describe(subscription)}</h2>`;
  const plans = PAID_PLANS.map((code) => `<option>${code}</option>`).join('');
  return `<h2>${describe(subscription)}</h2><form method="post"><input type="hidden" name="subscription" value="${id}">
<label>Plan <select name="plan">${plans}</select></label> ${button('plan', 'Schimbă planul')}
${isCancelled ? button('keep', 'Păstrează abonamentul') : button('cancel', 'Anulează abonamentul')}</form>`;
}

function consolePage({ world, delivery }: Simulation): PageAnswer {
  const { subscriptions, charges, disputes, events } = world.state;
  const options = DELIVERY_MODES.map((each) => `<option${each === delivery.mode ? ' selected' : ''}>${each}</option>`);
  const cards = Object.values(subscriptions)
    .reverse()
    .map((each) => {
      const open = Object.values(disputes).some(
        ({ status, charge }) => status === 'needs_response' && charges[charge]?.customer === each.customer,
      );
      const actions = [
        ...[
          button('trial-end', 'Sfârșitul probei'),
          button('refused', 'Card refuzat'),
          button('mended', 'Card reparat'),
        ],
        button('dispute', 'Dispută'),
        ...(open ? [button('won', 'Dispută câștigată'), button('lost', 'Dispută pierdută')] : []),
        ...[button('refund', 'Rambursare'), button('end', 'Încheie acum'), button('delete', 'Șterge clientul')],
      ];
      const email = world.state.customers[each.customer]?.email ?? 'client șters';
      return `<h2>${escapeHtml(email)}: ${describe(each)}</h2><form method="post">
<input type="hidden" name="subscription" value="${each.id}">${actions.join(' ')}</form>
<p><a href="/portal/${each.customer}">Portalul acestui client</a></p>`;
    });
  const latest = events.slice(-20).reverse();
  const content = `<p>Ceasul simulat: <time>${new Date(world.now() * 1000).toISOString()}</time></p>
<form method="post">${button('hour', '+1 oră')} ${button('day', '+1 zi')} ${button('deliver', 'Livrează ce s-a reținut')}</form>
<p>Ceasul mută numai timpul lui Stripe. Serviciul trimite mesajele și închide cheile după ora reală.</p>
<form method="post"><label>Livrarea evenimentelor <select name="mode">${options.join('')}</select></label> ${button('mode', 'Alege')}</form>
${cards.join('') || '<p>Încă nu este niciun abonament.</p>'}
<h2>Ultimele evenimente</h2><ul>${latest.map((each) => `<li>${each.type}: ${each.pending_webhooks === 0 ? 'livrat' : 'nelivrat'}</li>`).join('')}</ul>`;
  return page('Consola', content);
}

function operate({ world, delivery }: Simulation, form: URLSearchParams): void {
  const action = form.get('action');
  if (action === 'hour') world.advance(HOUR);
  if (action === 'day') world.advance(DAY);
  if (action === 'deliver') {
    delivery.deliverLate();
    delivery.retry(world.state.events);
  }
  delivery.mode = DELIVERY_MODES.find((each) => action === 'mode' && each === form.get('mode')) ?? delivery.mode;
  const subscription = world.state.subscriptions[form.get('subscription') ?? ''];
  if (subscription === undefined) return;
  const { customer, trial_end: trialEnd } = subscription;
  const charge = Object.values(world.state.charges).findLast((each) => each.customer === customer);
  if (action === 'trial-end' && trialEnd !== null) world.advance(Math.max(0, trialEnd - world.now()));
  if (action === 'refused' || action === 'mended') world.setCardRefused(customer, action === 'refused');
  if (action === 'end') world.cancelNow(subscription);
  if (action === 'delete') world.deleteCustomer(customer);
  if (charge === undefined) return;
  if (action === 'refund') world.refund(charge);
  if (action === 'dispute') world.openDispute(charge);
  const dispute = Object.values(world.state.disputes).findLast((each) => each.charge === charge.id);
  if ((action === 'won' || action === 'lost') && dispute !== undefined) world.closeDispute(dispute, action === 'won');
}

const describe = ({ status, items, cancel_at_period_end: isCancelled }: WireSubscription) =>
  `${items.data[0].price.lookup_key}, ${status}${isCancelled ? ', se încheie' : ''}, până la ${day(items.data[0].current_period_end)}`;
const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
const button = (action: string, label: string) => `<button name="action" value="${action}">${label}</button>`;
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);

const redirect = (to: string): PageAnswer => ({ status: 303, headers: { Location: to }, body: '' });

function page(title: string, content: string, status = 200): PageAnswer {
  const body = `<!doctype html><html lang="ro"><head><meta charset="utf-8"><title>${title}: Stripe simulat</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:16px/1.5 sans-serif;max-width:44rem;margin:0 auto;padding:1rem}button{padding:.5rem;margin:.2rem 0}
.simulated{background:#ffd54f;color:#000;padding:.5rem;font-size:1.5rem;font-weight:bold}</style></head>
<body><main><p class="simulated">SIMULARE: nu se plătește nimic</p><h1>${title}</h1>${content}</main></body></html>`;
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }, body };
}
