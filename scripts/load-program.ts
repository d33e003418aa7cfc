/** Loads all that a start needs, without starting it: Node.js keeps what it has compiled. */
import '../src/app/demo/run-demo.ts';
import '../src/app/service.ts';
import '../src/cli/processes/demo.ts';
import '../src/cli/processes/serve.ts';
import '../src/cli/processes/worker.ts';
