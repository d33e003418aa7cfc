/**
 * Generates load without wrk: keep-alive connections, each with one request under way. Prints the number of answers.
 */
import net from 'node:net';

type LoadClientOptions = { port: number; paths: string[]; coding: string; seconds: number; connections: number };

const { port, paths, coding, seconds, connections } = JSON.parse(process.argv[2] ?? '') as LoadClientOptions;
const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: ${coding}\r\n\r\n`);
const end = performance.now() + seconds * 1000;
let nextRequest = 0;
let answered = 0;

await Promise.all(Array.from({ length: connections }, connection));
console.log(answered);

function connection(): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let bytesLeft = 0;
  let head = '';
  const ask = () => {
    if (performance.now() >= end) return void socket.end();
    socket.write(requests[nextRequest++ % requests.length] as string);
  };
  socket.on('connect', ask);
  socket.on('data', (part) => {
    if (bytesLeft === 0) {
      head += part.toString('latin1');
      const at = head.indexOf('\r\n\r\n');
      if (at === -1) return;
      if (!head.startsWith('HTTP/1.1 200')) throw new Error(`not answered with 200: ${head.slice(0, 80)}`);
      bytesLeft = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]) - (head.length - at - 4);
      head = '';
    } else bytesLeft -= part.length;
    if (bytesLeft > 0) return;
    answered += 1;
    ask();
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}
