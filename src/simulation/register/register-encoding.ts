/** The bytes of the register's answers, in JSON and in XML. */
import type { Answer } from '../../sources/source.ts';
import type { RegisterAnswer } from './register-answers.ts';
import { answerXml, errorXml } from './register-xml.ts';

export type AnswerFormat = 'json' | 'xml';

/** An answer as sent over HTTP. */
export function encodeAnswer({ status, body, root }: RegisterAnswer, format: AnswerFormat = 'json'): Answer {
  const contentType = `application/${format}; charset=utf-8`;
  return { status, contentType, body: Buffer.from(format === 'xml' ? inXml(root, body) : JSON.stringify(body)) };
}

function inXml(root: string | null, body: unknown): string {
  return root === null ? errorXml(body as object) : answerXml(root, body);
}
