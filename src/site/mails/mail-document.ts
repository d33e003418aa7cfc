/**
 * A mail as text and as HTML from one description, so that both say the same. The HTML is one column with styles in its
 * elements and loads nothing: mail programs block pictures and drop style sheets.
 */
import type { Language } from '../../domain/localized-text.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import { type Html, html } from '../html/html-template.ts';

export type MailBlock =
  | string
  /** A button in HTML, the address on a line of its own in the text. */
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  /** Something to copy: a key, a code, a command line. */
  | { readonly kind: 'code'; readonly label: string; readonly value: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'section'; readonly title: string; readonly items: readonly string[] };

/** What differs from mail to mail. */
export type MailParts = {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  /** Where the mail is declined; only of those that may be. */
  readonly unsubscribeUrl?: string;
};

export type MailBody = {
  readonly language: Language;
  readonly heading: string;
  readonly blocks: readonly MailBlock[];
  /** Who sends it and why, in small letters at the end. */
  readonly footer: readonly string[];
};

const TEXT_STYLE = 'margin:0 0 16px;font:16px/1.5 system-ui,sans-serif';
const CODE_STYLE =
  'margin:0 0 16px;padding:12px;border:1px solid #767676;border-radius:6px;font:16px/1.4 monospace;word-break:break-all';
const BUTTON_STYLE =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#0b5d4b;color:#ffffff;font:bold 16px/1.2 system-ui,sans-serif;text-decoration:none';

/** The text: complete by itself, each block after an empty line. */
export function mailText({ heading, blocks, footer }: MailBody): string {
  return `${[heading, ...blocks.map(blockText), `-- \n${footer.join('\n')}`].join('\n\n')}\n`;
}

function blockText(block: MailBlock): string {
  if (typeof block === 'string') return block;
  switch (block.kind) {
    case 'link':
      return `${block.label}:\n${block.url}`;
    case 'code':
      return `${block.label}:\n\n    ${block.value}`;
    case 'facts':
      return block.rows.map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'section':
      return [block.title, ...block.items].join('\n\n');
  }
}

/** The HTML. */
export function mailHtml({ language, heading, blocks, footer }: MailBody): string {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${heading}</title></head>
<body style="margin:0;padding:24px 16px">
<div role="main" style="max-width:560px;margin:0 auto">
<p style="margin:0 0 24px;font:bold 18px/1.2 system-ui,sans-serif">${SERVICE_NAME}</p>
<h1 style="margin:0 0 16px;font:bold 22px/1.3 system-ui,sans-serif">${heading}</h1>
${blocks.map(blockHtml)}<hr style="margin:24px 0;border:0;border-top:1px solid #767676">
${footer.map((line) => html`<p style="margin:0 0 8px;font:14px/1.4 system-ui,sans-serif">${line}</p>\n`)}</div>
</body>
</html>
`.text;
}

function blockHtml(block: MailBlock): Html {
  if (typeof block === 'string') return html`<p style="${TEXT_STYLE}">${block}</p>\n`;
  switch (block.kind) {
    case 'link':
      return html`<p style="${TEXT_STYLE}"><a style="${BUTTON_STYLE}" href="${block.url}">${block.label}</a></p>\n`;
    case 'code':
      return html`<p style="${TEXT_STYLE}">${block.label}:</p>\n<p style="${CODE_STYLE}">${block.value}</p>\n`;
    case 'facts':
      return html`<table role="presentation" style="margin:0 0 16px;border-collapse:collapse;font:16px/1.5 system-ui,sans-serif">
${block.rows.map(([name, value]) => html`<tr><td style="padding:2px 16px 2px 0">${name}</td><td style="padding:2px 0"><b>${value}</b></td></tr>\n`)}</table>
`;
    case 'section':
      return html`<h2 style="margin:24px 0 16px;font:bold 16px/1.3 system-ui,sans-serif">${block.title}</h2>
${block.items.map((item) => html`<p style="margin:0 0 12px;font:14px/1.5 system-ui,sans-serif">${item}</p>\n`)}`;
  }
}
