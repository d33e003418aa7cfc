/** `pompa reviews`: moderation. */
import { bucharestDateTime } from '../../domain/days.ts';
import { ANONYMOUS_NICKNAME } from '../../domain/review.ts';
import { withCodePointsShown } from '../../domain/visible-text.ts';
import {
  decideReview,
  deleteReview,
  type PendingReview,
  pendingReviews,
} from '../../store/reviews/review-moderation.ts';
import { deleteCommand } from '../delete-for-good.ts';
import { commandWithSubCommands } from '../sub-commands.ts';
import { decisionCommand, listCommand, type Moderated } from './moderation.ts';

const REVIEWS: Moderated<ReturnType<typeof reviewObject>> = {
  words: { name: 'review', list: 'reviews pending', shown: 'the pending ones' },
  table: 'reviews',
  none: 'no pending reviews',
  waiting: async ({ kysely }) => (await pendingReviews(kysely)).map(reviewObject),
  linesOf,
  remove: ({ kysely }, id) => deleteReview(kysely, id),
};

const decision = (state: 'approved' | 'rejected', meaning: string) =>
  decisionCommand(REVIEWS, state, async ({ kysely }, id, decided) =>
    (await decideReview(kysely, id, decided)) ? meaning : null,
  );

export const reviewsCommand = commandWithSubCommands(
  'reviews',
  `Reviews with text wait for approval, stars included. An earlier decision can be changed.
delete is permanent and removes every trace of the author.`,
  {
    pending: listCommand(REVIEWS),
    approve: decision('approved', 'and shown from now on'),
    reject: decision('rejected', 'and hidden'),
    delete: deleteCommand(REVIEWS, 'its text'),
  },
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
