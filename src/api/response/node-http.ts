/**
 * The values of `node:http`. An import of that module reads all its properties, and so loads Node's own `fetch` and its
 * agents as well: 24 ms of each start.
 */
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
