import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedProgress } from '../../store/changes/feed-progress.ts';
import { feedFinding } from './feed-checks.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-20T10:00:00Z');

function progress(told: number, { published = 7, since = NOW - 5 * MINUTE, until = NOW + MINUTE } = {}): FeedProgress {
  const head = { epoch: 'epoch_01', seq: 1, states: told, version: told, from: NOW - 9 * MINUTE, until };
  return { head: told === 0 ? null : head, published: { version: published, since } };
}

async function findingOf(...looks: FeedProgress[]): Promise<string> {
  const read = () => Promise.resolve((looks.length > 1 ? looks.shift() : looks[0]) as FeedProgress);
  const { ok, detail } = await feedFinding({ read, clock: () => NOW, pauseMs: 0 });
  return `${ok ? 'ok' : 'BAD'}: ${detail}`;
}

test('a feed that is behind the publication for over a minute fails, and one that is told passes', async () => {
  assert.equal(await findingOf(progress(7)), 'ok: told up to publication 7');
  assert.equal(await findingOf(progress(6, { since: NOW - MINUTE })), 'ok: told up to publication 6');
  assert.equal(
    await findingOf(progress(6)),
    'BAD: told up to publication 6 of 7; what is served differs from the feed for 5 minutes',
  );
});

test('a feed whose state is over fails although nothing was published since', async () => {
  assert.match(
    await findingOf(progress(7, { until: NOW - 3 * MINUTE })),
    /^BAD: told up to publication 7 of 7; .* 3 min/,
  );
});

test('a feed that never began fails, unless nothing was published', async () => {
  assert.match(await findingOf(progress(0)), /^BAD: nothing is told/);
  assert.equal(await findingOf(progress(0, { published: 0, since: 0 })), 'ok: nothing is published yet');
});

test('a feed that is being told passes: what is published just now may be dated earlier', async () => {
  assert.match(await findingOf(progress(6), progress(7)), /^ok/);
});
