/** The simulated mailbox: a mail relay, and pages that list and show the mails it was given. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { startRelay } from './mail-relay.ts';

export type SimulatedMailbox = {
  /** Where mails are sent. */
  readonly smtpUrl: URL;
  /** Where they are read. */
  readonly pageUrl: URL;
  /** The accepted mails, as they were sent, oldest first. */
  readonly received: readonly string[];
  close(): Promise<void>;
};

/** Starts both on free ports of loopback; mails are forgotten when it closes. */
export async function startSimulatedMailbox(): Promise<SimulatedMailbox> {
  const relay = await startRelay();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://mailbox');
    const content = await (pathname === '/' ? listPage(relay.received) : mailPage(relay.received, pathname.slice(1)));
    response.writeHead(content === null ? 404 : 200, HEADERS).end(content ?? page('Nu există', ''));
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  return {
    smtpUrl: relay.url,
    pageUrl: new URL(`http://127.0.0.1:${port}/`),
    received: relay.received,
    close: () =>
      new Promise((resolve) => {
        relay.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  // The mails are ours, and yet nothing in them may run or load.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'self'",
};

const listening = (server: Server) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

async function listPage(received: readonly string[]): Promise<string> {
  const mails = await Promise.all(received.map((raw) => PostalMime.parse(raw)));
  const lines = mails.map(
    ({ subject, to }, index) =>
      `<li><a href="/${index + 1}">${escapeHtml(subject ?? '(fără subiect)')}</a> către ${escapeHtml(to?.[0]?.address ?? '')}</li>`,
  );
  return page('Mailuri primite', lines.length === 0 ? '<p>Încă niciunul.</p>' : `<ul>${lines.reverse().join('')}</ul>`);
}

/** A mail by its number, from 1; `null` = there is none. */
async function mailPage(received: readonly string[], number: string): Promise<string | null> {
  const raw = /^\d{1,6}$/.test(number) ? received[Number(number) - 1] : undefined;
  if (raw === undefined) return null;
  const { subject = '', text = '', html = '', to, from } = await PostalMime.parse(raw);
  const framed = escapeHtml(`<base target="_top">${html}`);
  return page(
    escapeHtml(subject),
    `<p><a href="/">Toate mailurile</a></p><p>De la ${escapeHtml(from?.address ?? '')} către ${escapeHtml(to?.[0]?.address ?? '')}</p>
<pre>${withLinks(text)}</pre><h2>Ca HTML</h2>
<iframe title="Mailul ca HTML" sandbox="allow-top-navigation-by-user-activation" srcdoc="${framed}"></iframe>`,
  );
}

const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>]+)/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('');
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);

const page = (title: string, content: string) =>
  `<!doctype html><html lang="ro"><head><meta charset="utf-8"><title>${title}: cutia poștală simulată</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:16px/1.5 sans-serif;max-width:44rem;margin:0 auto;padding:1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}
iframe{width:100%;height:40rem;border:1px solid #888}.simulated{background:#ffd54f;color:#000;padding:.5rem;font-weight:bold}</style></head>
<body><main><p class="simulated">SIMULARE: aceste mailuri nu au plecat nicăieri</p><h1>${title}</h1>${content}</main></body></html>`;
