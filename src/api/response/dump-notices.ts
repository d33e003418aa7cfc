/** What the folder of open data answers where it has no file: texts, since programs ask for files. */
import { ROUTES } from '../../domain/pages/routes.ts';
import { DUMP_NOTICES } from '../contract/messages.ts';
import { Body } from '../encoding/body.ts';
import { type Answer, type HeaderList, publicHeaders } from './answer.ts';

/** The address of the folder itself, which the files name as theirs, leads to the page that lists them. */
export const DUMP_PAGE_ANSWER: Answer = notice(302, ROUTES.data.ro, ['Location', ROUTES.data.ro]);

/** No file has this name, and none will soon. */
export const NO_SUCH_FILE_ANSWER: Answer = notice(404, DUMP_NOTICES.missing);

/** How long a program waits for the first files; a worker begins to make them as soon as it has prices. */
const PENDING_RETRY_SECONDS = 60;

/** There are no files yet. */
export const DUMPS_PENDING_ANSWER: Answer = notice(503, DUMP_NOTICES.pending, [
  'Retry-After',
  String(PENDING_RETRY_SECONDS),
]);

function notice(status: number, text: string, extraHeaders: HeaderList = []): Answer {
  const body = Body.uncompressed(Buffer.from(`${text}\n`));
  return { status, headers: publicHeaders('text/plain; charset=utf-8'), extraHeaders, body };
}
