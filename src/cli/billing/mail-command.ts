/** `pompa mails`: the queue of mails. */
import type { Command } from '../../app/command.ts';
import { withDatabase } from '../../app/database/configured-database.ts';
import { listMails, resendMail } from '../../store/billing/support.ts';
import { type IdWords, parseId, unknownId } from '../arguments.ts';
import { printMails } from '../reports/customer-report.ts';
import { commandWithSubCommands, type SubCommand } from '../sub-commands.ts';

const LATEST = 100;
const MAIL_WORDS: IdWords = { name: 'mail', list: 'mails list', shown: 'those whose recipient is still known' };

const list: SubCommand = {
  usage: '[--waiting] [--json]',
  flags: { waiting: { type: 'boolean' } },
  argCount: 0,
  async run(call) {
    const which = { email: null, waiting: call.flags.waiting === true, limit: LATEST };
    printMails(call, await withDatabase(call, ({ kysely }) => listMails(kysely, which)));
    return 0;
  },
};

const resend: SubCommand = {
  usage: 'ID',
  flags: {},
  argCount: 1,
  async run(call) {
    const id = parseId(call, MAIL_WORDS);
    const isDue = await withDatabase(call, ({ kysely }) => resendMail(kysely, id));
    if (!isDue) throw unknownId(id, MAIL_WORDS);
    call.terminal.out(`mail ${id} is sent again within a minute where a worker runs; a key, link or code in it is new`);
    return 0;
  },
};

export const mailsCommand: Command = commandWithSubCommands(
  'mails',
  `list: the latest ${LATEST} mails, or those that wait. resend: sends one again, whatever became of it. A mail holds no secret
while it waits: keys, links and codes are made as it is sent, and the key of an earlier one stays valid for a day.`,
  { list, resend },
);
