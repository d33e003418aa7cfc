/** An alert to 10,000 subscriptions: time, CPU per message, memory. */

import { finishReport, heading, reportMetric, withTempFolder } from '../test/support/benchmark-report.ts';
import { sendAlert } from '../test/support/database/bench-alert.ts';
import { withDatabaseServer } from '../test/support/database/bench-database.ts';

const SUBSCRIPTIONS = 10_000;

heading(`An alert to ${SUBSCRIPTIONS} subscriptions at one push service that answers at once`);
await withTempFolder((folder) =>
  withDatabaseServer(folder, async (create) => {
    const { delivered, seconds, cpuMs, growthMb } = await sendAlert(await create('alerts'), SUBSCRIPTIONS);
    reportMetric('messages delivered', delivered, '', { least: SUBSCRIPTIONS });
    reportMetric('time', seconds, 's', { most: 6 });
    reportMetric('CPU per message, push service included', cpuMs / SUBSCRIPTIONS, 'ms');
    reportMetric('peak growth of memory', growthMb, 'MB', { most: 200 });
  }),
);
finishReport();
