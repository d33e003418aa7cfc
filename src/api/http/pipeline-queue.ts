/**
 * One request of a connection at a time. A client may send further ones without waiting for answers (pipelining); Node
 * hands over all that a read of 64 KiB holds at once: that can be a second of work, and a hundred megabytes of answers.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TimeSlicer } from '../../concurrency/time-slicer.ts';

type Work = () => void;
/** The requests of one connection that wait for their turn. */
type ConnectionQueue = { waiting: number; readonly release: () => void };

/** Waiting requests that a connection may have whatever the others do. */
const GUARANTEED_PER_CONNECTION = 64;

export class PipelineQueue {
  readonly #queues = new Map<Socket, ConnectionQueue>();
  readonly #timeSlicer: TimeSlicer;
  readonly #maxWaiting: number;
  #waiting = 0;

  /**
   * @param maxWaiting requests that may wait on all connections together, each of which costs some 2 KB; beyond it
   * a connection that has many of its own is cut.
   * @param timeSlicer where their work is done.
   */
  constructor(maxWaiting: number, timeSlicer: TimeSlicer) {
    this.#maxWaiting = maxWaiting;
    this.#timeSlicer = timeSlicer;
  }

  /** Does the work when the answers that come before this one on the connection have gone out; never, when it is gone. */
  enqueue(socket: Socket, response: ServerResponse, work: Work): void {
    // Of what was read with its last bytes, more may come out of the parser.
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

  /** Nothing more is read from a connection as long as requests wait on it. */
  #openQueue(socket: Socket): ConnectionQueue {
    const pauseReading = () => {
      if (this.#queues.get(socket) !== queue) return;
      // Where it was paused between the call of `resume` and its event, its handle reads on, and `pause` would do nothing.
      if (socket.isPaused()) socket.emit('pause');
      else socket.pause();
    };
    const release = () => {
      if (!this.#queues.delete(socket)) return;
      this.#waiting -= queue.waiting;
      socket.off('resume', pauseReading).off('close', release);
      // Its next read may hold as many again: no two such connections are read in one turn.
      if (!socket.destroyed) this.#timeSlicer.push(() => socket.resume(), true);
    };
    const queue: ConnectionQueue = { waiting: 0, release };
    this.#queues.set(socket, queue);
    // The parser, which is at work now, resumes its socket after each message; so does Node after each long answer.
    process.nextTick(pauseReading);
    socket.on('resume', pauseReading).on('close', release);
    return queue;
  }
}
