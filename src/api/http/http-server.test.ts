import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { NO_PROXIES } from '../../domain/access/trusted-proxies.ts';
import { RequestCounts } from '../../telemetry/request-counts.ts';
import { CONNECTION_LIMITS } from './connection/connection-limits.ts';
import { HttpServer } from './http-server.ts';

test('a request parsed after its connection closed is dropped, and the connection is not tracked', () => {
  const worked: string[] = [];
  const httpServer = new HttpServer({
    route: () => worked.push('routed'),
    fastPathAnswer: () => null,
    limits: CONNECTION_LIMITS,
    refusals: new RequestCounts([]).series('none', 'socket'),
    trustedProxies: NO_PROXIES,
    onRefused: () => undefined,
  });
  const gone = new net.Socket();
  const request = Object.assign(new IncomingMessage(gone), { url: '/', httpVersionMajor: 1, httpVersion: '1.1' });
  const response = new ServerResponse(request);
  response.assignSocket(gone);
  gone.destroy();
  httpServer.server.emit('request', request, response);
  assert.deepEqual(worked, []);
});
