import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createSmtpMailer, type Mailer } from '../../clients/smtp.ts';
import { type SimulatedMailbox, startSimulatedMailbox } from './mailbox-server.ts';

let mailbox: SimulatedMailbox;
let mailer: Mailer;
before(async () => {
  mailbox = await startSimulatedMailbox();
  const from = { name: 'Pompa', address: 'pompa@example.org' };
  mailer = createSmtpMailer({ url: mailbox.smtpUrl, from, replyTo: null, allowPlain: true });
});
after(async () => {
  mailer.close();
  await mailbox.close();
});

const read = async (path: string) => (await fetch(new URL(path, mailbox.pageUrl))).text();
const send = (id: string, subject: string, html: string) =>
  mailer.send({
    ...{ id, to: 'ana@example.com', subject, html, language: 'ro', at: 1_795_359_600_000, headers: {} },
    text: 'Codul 123456: https://pompa.example/cont/intra?t=a&b=1',
  });

it('lists mails, newest first, and shows one with its links', async () => {
  assert.match(await read('/'), /Încă niciunul/);
  for (const [id, subject] of ['Întâi', 'Apoi <b>'].entries())
    assert.deepEqual(await send(String(id), subject, '<p>Bună ziua</p>'), { kind: 'accepted' });
  assert.match(await read('/'), /Apoi &#60;b&#62;[\s\S]*Întâi/);
  const mail = await read('/1');
  assert.match(mail, /Codul 123456: <a href="https:\/\/pompa\.example\/cont\/intra\?t=a&#38;b=1">/);
  assert.match(mail, /sandbox="allow-top-navigation-by-user-activation" srcdoc="[^"]*Bună ziua/);
  assert.equal((await fetch(new URL('/9', mailbox.pageUrl))).status, 404);
});
