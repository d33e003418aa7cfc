import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import PostalMime from 'postal-mime';
import type { SMTPServerOptions } from 'smtp-server';
import type { OutgoingMail } from '../domain/mail/outgoing-mail.ts';
import { startRelay } from '../simulation/mailbox/mail-relay.ts';
import { createSmtpMailer, type Mailer, type SmtpOptions } from './smtp.ts';

const MAIL: OutgoingMail = {
  to: 'ana@exemplu.ro',
  subject: 'Cheia dumneavoastră, șțăîâ',
  text: 'Bună ziua,\n\nAveți cheia.\n',
  html: '<p>Bună ziua,</p>\n<p>Aveți cheia.</p>',
  language: 'ro',
  id: 'key-17',
  at: Date.UTC(2026, 10, 23, 8),
  headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
};

const open: (() => void)[] = [];
after(() => {
  for (const close of open.reverse()) close();
});

/** An SMTP reply with a code. */
const reply = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

async function relay(options: SMTPServerOptions = {}) {
  const started = await startRelay(options);
  open.push(started.close);
  return started;
}

function mailer(url: URL, options: Partial<SmtpOptions> = {}): Mailer {
  // Frozen, as settings are.
  const from = Object.freeze({ name: 'Pompa', address: 'cheie@pompa.example' });
  const made = createSmtpMailer({ url, from, replyTo: 'ajutor@pompa.example', allowPlain: true, ...options });
  open.push(() => made.close());
  return made;
}

const kindOf = async (sending: ReturnType<Mailer['send']>) => (await sending).kind;

describe('a mail', () => {
  it('arrives with its subject, both bodies, and headers that another library reads', async () => {
    const { url, received } = await relay();
    assert.deepEqual(await mailer(url).send(MAIL), { kind: 'accepted' });
    const mail = await PostalMime.parse(received[0] as string);
    assert.equal(mail.subject, MAIL.subject);
    assert.equal(mail.text?.trim(), MAIL.text.trim());
    assert.equal(mail.html?.trim(), MAIL.html.trim());
    assert.deepEqual([mail.from?.name, mail.from?.address], ['Pompa', 'cheie@pompa.example']);
    assert.deepEqual(
      mail.to?.map(({ address }) => address),
      ['ana@exemplu.ro'],
    );
    assert.deepEqual(
      mail.replyTo?.map(({ address }) => address),
      ['ajutor@pompa.example'],
    );
    assert.equal(mail.messageId, '<key-17@pompa.example>');
    assert.equal(Date.parse(mail.date as string), MAIL.at);
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
    assert.equal(headers.get('auto-submitted'), 'auto-generated');
    assert.equal(headers.get('content-language'), 'ro');
    assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    assert.ok((received[0] as string).split('\r\n').every((line) => Buffer.byteLength(line) <= 998));
  });

  it('goes to one address, whatever that contains', async () => {
    const recipients: string[] = [];
    const { url, received } = await relay({
      onRcptTo({ address }, _session, done) {
        recipients.push(address);
        done();
      },
    });
    const sender = mailer(url);
    for (const to of ['a@b.example\r\nBcc: evil@x.example', 'a@b.example, evil@x.example']) {
      assert.equal(await kindOf(sender.send({ ...MAIL, to })), 'refused');
    }
    await sender.send(MAIL);
    assert.deepEqual(recipients, [MAIL.to]);
    assert.equal(received.length, 1);
  });

  it('is sent with user and password if the relay asks for them', async () => {
    const users: (string | undefined)[] = [];
    const { url } = await relay({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        users.push(username);
        if (password === 'pa:ss@') done(null, { user: username });
        else done(new Error('no'));
      },
    });
    url.username = 'pompa';
    url.password = encodeURIComponent('pa:ss@');
    assert.equal(await kindOf(mailer(url).send(MAIL)), 'accepted');
    url.password = 'wrong';
    assert.equal(await kindOf(mailer(url).send(MAIL)), 'deferred', 'the operator can mend it');
    assert.deepEqual(users, ['pompa', 'pompa']);
  });
});

describe('a mail that the relay does not take', () => {
  it('is deferred by greylisting, and accepted at the next attempt on the same connection', async () => {
    let attempts = 0;
    const { url, received } = await relay({
      onRcptTo(_address, _session, done) {
        attempts += 1;
        done(attempts === 1 ? reply(451, 'greylisted, try again') : null);
      },
    });
    const sender = mailer(url);
    const { kind, why } = (await sender.send(MAIL)) as { kind: string; why: string };
    assert.equal(kind, 'deferred');
    assert.match(why, /greylisted/);
    assert.doesNotMatch(why, /ana@/);
    assert.equal(await kindOf(sender.send(MAIL)), 'accepted');
    assert.equal(received.length, 1);
  });

  it('is refused where its address or its content is, and deferred where the mailbox is full', async () => {
    const unknown = await relay({ onRcptTo: (_address, _session, done) => done(reply(550, 'no such user')) });
    assert.equal(await kindOf(mailer(unknown.url).send(MAIL)), 'refused');
    for (const [code, why, kind] of [
      [554, 'spam', 'refused'],
      [452, 'mailbox full', 'deferred'],
    ] as const) {
      const { url } = await relay({
        onData: (stream, _session, done) => void stream.resume().once('end', () => done(reply(code, why))),
      });
      assert.equal(await kindOf(mailer(url).send(MAIL)), kind);
    }
  });

  it('is deferred while nothing listens, and where TLS is required and not offered', async () => {
    const { url, server, received } = await relay();
    assert.equal(await kindOf(mailer(url, { allowPlain: false }).send(MAIL)), 'deferred');
    assert.deepEqual(received, []);
    server.close();
    await once(server.server, 'close');
    assert.equal(await kindOf(mailer(url).send(MAIL)), 'deferred');
  });

  it('is deferred where our sender or our server is refused, which is no fault of its address', async () => {
    const sender = await relay({ onMailFrom: (_address, _session, done) => done(reply(550, 'sender not allowed')) });
    assert.equal(await kindOf(mailer(sender.url).send(MAIL)), 'deferred');
    const server = await relay({ onConnect: (_session, done) => done(reply(554, 'you are on a block list')) });
    assert.equal(await kindOf(mailer(server.url).send(MAIL)), 'deferred');
  });

  it('is deferred, though it may have gone out, if the connection ends before the answer', async () => {
    const { url, received, server } = await relay({
      async onData(stream) {
        received.push(await text(stream));
        for (const connection of server.connections) connection.close();
      },
    });
    assert.equal(await kindOf(mailer(url).send(MAIL)), 'deferred');
    assert.equal(received.length, 1);
  });
});
