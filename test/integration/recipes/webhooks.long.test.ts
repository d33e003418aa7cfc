import path from 'node:path';
import { test } from 'node:test';
import { pythonTools } from '../../clients/python-tools.ts';
import { snippetsOf } from '../../support/documented-code.ts';
import { checkReceiver } from './webhook-receivers.ts';

const CLIENT = path.resolve(import.meta.dirname, '../../../clients/python/src');

test('the receiver for Python on the page on webhooks takes what is genuine, once, and refuses the rest', async (t) => {
  const [code = ''] = snippetsOf('docs/WEBHOOKS.md', 'python');
  await checkReceiver(t, [pythonTools().builder, '-c', code], { PYTHONPATH: CLIENT });
});
