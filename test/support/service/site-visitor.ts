/** A browser without code, at its own address: it keeps cookies, follows nothing by itself, and notes every answer. */
import assert from 'node:assert/strict';
import { newAddress } from '../builders/client-addresses.ts';

export type VisitorAnswer = { readonly path: string; readonly text: string; readonly location: string };

export class SiteVisitor {
  readonly cookies = new Map<string, string>();
  readonly #address: string;
  readonly #from = newAddress();
  readonly #answers: VisitorAnswer[];

  /** @param answers where every answer is noted. */
  constructor(address: string, answers: VisitorAnswer[] = []) {
    this.#address = address;
    this.#answers = answers;
  }

  /** Opens a page, or posts a form. */
  async ask(path: string, fields?: Readonly<Record<string, string>>): Promise<VisitorAnswer> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(this.#address + path, {
      ...{ redirect: 'manual', headers: { Cookie: cookie, 'X-Forwarded-For': this.#from } },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value !== '') this.cookies.set(name, value);
    }
    const answer = { path, text: await response.text(), location: response.headers.get('location') ?? '' };
    this.#answers.push(answer);
    return answer;
  }

  /** Posts a form of an account, with the token of its page. */
  async post(page: string, path: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const form = /name="form" value="([^"]+)"/.exec((await this.ask(page)).text)?.[1] ?? '';
    return (await this.ask(path, { form, ...fields })).text;
  }
}

/** The part of a text that a pattern captures, or all that it matches. */
export function found(pattern: RegExp, text: string): string {
  const [match, part = match] = pattern.exec(text) ?? [];
  assert.ok(part, `no ${pattern} in ${text}`);
  return part;
}
