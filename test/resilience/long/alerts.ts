/** `kill -9` of the sender of alerts in the middle: everybody gets each alert, nobody twice but what was under way. */
import { parseArgs } from 'node:util';
import { withDatabaseServer } from '../../support/bench-database.ts';
import { withTempFolder } from '../../support/report.ts';
import { alertRounds } from '../engine/alert-rounds.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '50' } } });

await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const begun = performance.now();
    const report = await alertRounds(await create('alerts'), Number(values.kills), (line) => console.log(line));
    const { kills, subscribers, messages, duplicates, violations } = report;
    console.log(
      `${kills} kills in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${subscribers} subscribers, 2 alerts each`,
    );
    console.log(`${messages} messages, of which ${duplicates} a second time: under way when their sender was killed`);
    for (const violation of violations) console.log(`VIOLATION ${violation}`);
    console.log(violations.length === 0 ? 'no violation' : `${violations.length} violations`);
    process.exitCode = violations.length === 0 ? 0 : 1;
  }),
);
