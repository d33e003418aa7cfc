/** `pompa reviews`: moderation. */

import type { CommandCall } from '../app/command.ts';
import { withDatabase } from '../app/wiring.ts';
import { bucharestDateTime } from '../domain/days.ts';
import { ANONYMOUS_NICKNAME } from '../domain/review.ts';
import { withCodePointsShown } from '../domain/visible-text.ts';
import { decideReview, deleteReview, type PendingReview, pendingReviews } from '../store/reviews/review-moderation.ts';
import { type IdWords, parseId, unknownId } from './arguments.ts';
import { deleteForGood } from './delete-for-good.ts';
import { commandWithSubCommands, type SubCommand } from './sub-commands.ts';

const REVIEW_ID: IdWords = { name: 'review', list: 'reviews pending', shown: 'the pending ones' };

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
    async run(call) {
      const id = parseId(call, REVIEW_ID);
      const decided = await withDatabase(call, ({ kysely }) => decideReview(kysely, id, state));
      return printChange(call, id, decided, { state }, `is ${state}, ${STATE_TEXTS[state]}`);
    },
  };
}

const STATE_TEXTS = { approved: 'and shown from now on', rejected: 'and hidden' } as const;

const remove: SubCommand = {
  usage: 'ID [--json]',
  flags: {},
  argCount: 1,
  async run(call) {
    const id = parseId(call, REVIEW_ID);
    const deleted = await deleteForGood(call, 'reviews', ({ kysely }) => deleteReview(kysely, id));
    return printChange(call, id, deleted, { deleted: true }, 'is deleted, with its text');
  },
};

export const reviewsCommand = commandWithSubCommands(
  'reviews',
  `Reviews with text wait for approval, stars included. An earlier decision can be changed.
delete is permanent and removes every trace of the author.`,
  { pending, approve: decision('approved'), reject: decision('rejected'), delete: remove },
);

/** The same fields as in the API. The moderator sees every character, even in texts stored before they were cleaned. */
function reviewObject({ id, slug, rating, nickname, comment, createdAt }: PendingReview) {
  return {
    ...{ id, slug, rating },
    nickname: withCodePointsShown(nickname ?? ANONYMOUS_NICKNAME),
    comment: withCodePointsShown(comment ?? ''),
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

function printChange(
  { flags, terminal }: CommandCall,
  id: number,
  isKnown: boolean,
  outcome: object,
  sentence: string,
): number {
  if (!isKnown) throw unknownId(id, REVIEW_ID);
  terminal.out(flags.json ? JSON.stringify({ id, ...outcome }) : `review ${id} ${sentence}`);
  return 0;
}
