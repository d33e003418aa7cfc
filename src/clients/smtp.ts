/** Sends mail by the operator's relay, with nodemailer, which is loaded for the first mail. */
import type { Transporter } from 'nodemailer';
import { parseEmailAddress } from '../domain/mail/email-address.ts';
import type { OutgoingMail } from '../domain/mail/outgoing-mail.ts';

export type MailOutcome =
  | { readonly kind: 'accepted' }
  /** The relay will never take this mail: the address or the content is refused. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The relay did not take it, or did not say so, and may later. */
  | { readonly kind: 'deferred'; readonly why: string };

export type Mailer = {
  /** Sends one mail to one address; never rejects. `why` is a clause without the address. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** Connects, encrypts and logs in without sending; returns why it failed, `null` = it did not. */
  verify(): Promise<string | null>;
  close(): void;
};

export type SmtpOptions = {
  /** `smtp://` or `smtps://`, with user and password if the relay asks for them. */
  readonly url: URL;
  /** The address of the sender, and its name. */
  readonly from: { readonly name: string; readonly address: string };
  /** Where answers go; `null` = to the sender. */
  readonly replyTo: string | null;
  /** Whether a connection without TLS is allowed: on loopback only. */
  readonly allowPlain: boolean;
  /** For each step of the conversation. */
  readonly timeoutMs?: number;
};

const STEP_TIMEOUT_MS = 20_000;
const CONNECTIONS = 2;
/** A 5xx to one of these refuses the mail; to any other it refuses us, and the operator can mend it. */
const COMMANDS_OF_MAIL = ['RCPT TO', 'DATA'];

/** A mailer for the relay of the operator. */
export function createSmtpMailer(options: SmtpOptions): Mailer {
  let transport: Promise<Transporter> | undefined;
  return {
    async send(mail) {
      if (parseEmailAddress(mail.to) !== mail.to) return { kind: 'refused', why: 'not an e-mail address' };
      try {
        transport ??= connect(options);
        await (await transport).sendMail({
          // A copy: it is normalised in place, and settings are frozen.
          from: { ...options.from },
          // An object: a text would be parsed as a list of addresses.
          to: { name: '', address: mail.to },
          envelope: { from: options.from.address, to: [mail.to] },
          ...(options.replyTo === null ? {} : { replyTo: { name: '', address: options.replyTo } }),
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          date: new Date(mail.at),
          messageId: `<${mail.id}@${domainOf(options.from.address)}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language, ...mail.headers },
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        return { kind: 'accepted' };
      } catch (error) {
        return outcomeOf(error as SmtpError, mail.to);
      }
    },
    async verify() {
      try {
        transport ??= connect(options);
        await (await transport).verify();
        return null;
      } catch (error) {
        return reasonOf(error as SmtpError);
      }
    },
    close() {
      void transport?.then((opened) => opened.close());
    },
  };
}

const domainOf = (address: string) => address.slice(address.indexOf('@') + 1);

async function connect({ url, allowPlain, timeoutMs = STEP_TIMEOUT_MS }: SmtpOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const isSecure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    requireTLS: !isSecure && !allowPlain,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
}

type SmtpError = Error & { command?: string; permanent?: boolean };

const reasonOf = ({ message }: Error) => message.replace(/\s+/g, ' ').slice(0, 200);

function outcomeOf(error: SmtpError, to: string): MailOutcome {
  const why = reasonOf(error).replaceAll(to, 'the address');
  const isRefused = error.permanent === true && COMMANDS_OF_MAIL.includes(error.command ?? '');
  return { kind: isRefused ? 'refused' : 'deferred', why };
}
