/**
 * Runs one request of a connection at a time. A client may send more without waiting for answers (pipelining), and Node
 * emits all requests in a read of 64 KiB at once: up to a second of work and a hundred megabytes of answers.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TimeSlicer } from '../../concurrency/time-slicer.ts';

type Work = () => void;
/** The waiting requests of one connection. */
type ConnectionQueue = { waiting: number; readonly release: () => void };

/** Waiting requests that every connection may have, however many the others have. */
const GUARANTEED_PER_CONNECTION = 64;

export class PipelineQueue {
  readonly #queues = new Map<Socket, ConnectionQueue>();
  readonly #timeSlicer: TimeSlicer;
  readonly #maxWaiting: number;
  #waiting = 0;

  /**
   * @param maxWaiting requests that may wait on all connections together (about 2 KB each); beyond it, a connection
   * that has many of its own is cut.
   * @param timeSlicer runs their work.
   */
  constructor(maxWaiting: number, timeSlicer: TimeSlicer) {
    this.#maxWaiting = maxWaiting;
    this.#timeSlicer = timeSlicer;
  }

  /** Does the work once the earlier answers on the connection are out; never if the connection is closed. */
  enqueue(socket: Socket, response: ServerResponse, work: Work): void {
    // The parser may yield further requests from its last bytes.
    if (socket.destroyed) return;
    const queue = this.#queues.get(socket) ?? this.#openQueue(socket);
    if (this.#waiting >= this.#maxWaiting && queue.waiting >= GUARANTEED_PER_CONNECTION) {
      socket.destroy();
      queue.release();
      return;
    }
    this.#waiting += 1;
    queue.waiting += 1;
    response.once('socket', () => {
      this.#timeSlicer.push(() => {
        if (this.#queues.get(socket) !== queue) return;
        this.#waiting -= 1;
        queue.waiting -= 1;
        if (queue.waiting === 0) queue.release();
        work();
      });
    });
  }

  /** Drops the waiting requests of a connection, and lets it be read. */
  abandon(socket: Socket): void {
    this.#queues.get(socket)?.release();
  }

  /** Pauses reading from a connection while requests wait on it. */
  #openQueue(socket: Socket): ConnectionQueue {
    const pauseReading = () => {
      if (this.#queues.get(socket) !== queue) return;
      // If it was paused between the call of `resume` and its event, the handle still reads, and `pause` would do
      // nothing.
      if (socket.isPaused()) socket.emit('pause');
      else socket.pause();
    };
    const release = () => {
      if (!this.#queues.delete(socket)) return;
      this.#waiting -= queue.waiting;
      socket.off('resume', pauseReading).off('close', release);
      // Its next read may hold as many again: only one such connection is read per turn.
      if (!socket.destroyed) this.#timeSlicer.push(() => socket.resume(), true);
    };
    const queue: ConnectionQueue = { waiting: 0, release };
    this.#queues.set(socket, queue);
    // The parser, which is running now, resumes its socket after each message; so does Node after each long answer.
    process.nextTick(pauseReading);
    socket.on('resume', pauseReading).on('close', release);
    return queue;
  }
}
