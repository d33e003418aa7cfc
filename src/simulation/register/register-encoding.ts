/** The bytes of the register's answers, in JSON and in XML. */
import type { ReceivedResponse } from '../../clients/http/response.ts';
import type { RegisterAnswer } from './register-answers.ts';
import { answerXml, errorXml } from './register-xml.ts';

export type AnswerFormat = 'json' | 'xml';

/** An answer as sent over HTTP. */
export function encodeAnswer({ status, body, root }: RegisterAnswer, format: AnswerFormat = 'json'): ReceivedResponse {
  const contentType = `application/${format}; charset=utf-8`;
  return { status, contentType, body: Buffer.from(format === 'xml' ? inXml(root, body) : JSON.stringify(body)) };
}

function inXml(root: string | null, body: unknown): string {
  return root === null ? errorXml(body as object) : answerXml(root, body);
}
