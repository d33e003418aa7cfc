/**
 * Loads all that a start needs, without starting it: Node.js keeps what it has compiled. The supervisor of the embedded
 * database runs without our options of V8, which makes its compiled modules others: they are not among these.
 */
import '../src/app/database/service-connection.ts';
import '../src/app/demo/run-demo.ts';
import '../src/app/metrics/metrics.ts';
import '../src/app/service.ts';
import '../src/cli/processes/demo.ts';
import '../src/cli/processes/serve.ts';
import '../src/cli/processes/serve-in-processes.ts';
import '../src/cli/processes/worker.ts';
