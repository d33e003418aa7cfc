/** `pompa reviews`: moderation. */

import { type CommandCall, CommandError, UsageError } from '../app/command.ts';
import { withDatabase } from '../app/wiring.ts';
import { bucharestDateTime } from '../domain/days.ts';
import { ANONYMOUS_NICKNAME } from '../domain/review.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { decideReview, deleteReview, type PendingReview, pendingReviews } from '../store/reviews/review-moderation.ts';
import { commandWithSubCommands, type SubCommand } from './sub-commands.ts';

/** Ids are 32 bits in the database. */
const MAX_ID = 2 ** 31 - 1;

const pending: SubCommand = {
  usage: '[--json]',
  flags: {},
  argCount: 0,
  async run(call) {
    const { flags, terminal } = call;
    const waiting = (await withDatabase(call, ({ kysely }) => pendingReviews(kysely))).map(reviewObject);
    for (const review of waiting) {
      for (const line of flags.json ? [JSON.stringify(review)] : linesOf(review)) terminal.out(line);
    }
    if (waiting.length === 0 && !flags.json) terminal.out('no pending reviews');
    return 0;
  },
};

function decision(state: 'approved' | 'rejected'): SubCommand {
  return {
    usage: 'ID [--json]',
    flags: {},
    argCount: 1,
    run: (call) =>
      changeReview(
        call,
        ({ kysely }, id) => decideReview(kysely, id, state),
        { state },
        `is ${state}, ${STATE_TEXTS[state]}`,
      ),
  };
}

const STATE_TEXTS = { approved: 'and shown from now on', rejected: 'and hidden' } as const;

const remove: SubCommand = {
  usage: 'ID [--json]',
  flags: {},
  argCount: 1,
  run: (call) =>
    changeReview(call, ({ kysely }, id) => deleteReview(kysely, id), { deleted: true }, 'is deleted, with its text'),
};

export const reviewsCommand = commandWithSubCommands(
  'reviews',
  `Reviews with text wait for approval, stars included. An earlier decision can be changed.
delete is permanent and removes every trace of the author.`,
  { pending, approve: decision('approved'), reject: decision('rejected'), delete: remove },
);

/** The same fields as in the API. */
function reviewObject({ id, slug, rating, nickname, comment, createdAt }: PendingReview) {
  return {
    ...{ id, slug, rating },
    nickname: terminalSafe(nickname ?? ANONYMOUS_NICKNAME),
    comment: terminalSafe(comment ?? ''),
    created_at: bucharestDateTime(createdAt),
  };
}

function linesOf({ id, slug, rating, nickname, comment, created_at }: ReturnType<typeof reviewObject>): string[] {
  const stars = rating === 1 ? '1 star' : `${rating} stars`;
  return [
    `review ${id}: ${stars}, ${slug}, ${created_at}`,
    `  ${nickname}: ${comment === '' ? '(no comment)' : comment}`,
  ];
}

/** Texts are cleaned when they are stored; the terminal must not depend on that. */
function terminalSafe(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Cs}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

async function changeReview(
  call: CommandCall,
  work: (database: Database<Schema>, id: number) => Promise<boolean>,
  outcome: object,
  sentence: string,
): Promise<number> {
  const { args, flags, terminal } = call;
  const [word = ''] = args;
  if (!/^\d{1,15}$/.test(word)) throw new UsageError('ID must be the number of a review, as shown by reviews pending');
  const id = Number(word);
  const done = id <= MAX_ID && (await withDatabase(call, (database) => work(database, id)));
  if (!done) throw new CommandError(`there is no review ${id}; reviews pending shows the pending ones`);
  terminal.out(flags.json ? JSON.stringify({ id, ...outcome }) : `review ${id} ${sentence}`);
  return 0;
}
