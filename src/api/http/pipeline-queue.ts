/**
 * One request of a connection at a time. A client may send further ones without waiting for answers (pipelining); Node
 * hands over all that a read of 64 KiB holds at once: that can be a second of work, and a hundred megabytes of answers.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Slices } from '../../concurrency/time-slicer.ts';

type Work = () => void;
/** The requests of one connection that wait for their turn. */
type Line = { waiting: number; readonly leave: () => void };

/** Waiting requests that a connection may have whatever the others do. */
const ALWAYS_ALLOWED = 64;

export class Turns {
  readonly #lines = new Map<Socket, Line>();
  readonly #slices: Slices;
  readonly #mostWaiting: number;
  #waiting = 0;

  /**
   * @param mostWaiting requests that may wait on all connections together, each of which costs some 2 KB; beyond it
   * a connection that has many of its own is cut.
   * @param slices where their work is done.
   */
  constructor(mostWaiting: number, slices: Slices) {
    this.#mostWaiting = mostWaiting;
    this.#slices = slices;
  }

  /** Does the work when the answers that come before this one on the connection have gone out; never, when it is gone. */
  wait(socket: Socket, response: ServerResponse, work: Work): void {
    // Of what was read with its last bytes, more may come out of the parser.
    if (socket.destroyed) return;
    const line = this.#lines.get(socket) ?? this.#open(socket);
    if (this.#waiting >= this.#mostWaiting && line.waiting >= ALWAYS_ALLOWED) {
      socket.destroy();
      line.leave();
      return;
    }
    this.#waiting += 1;
    line.waiting += 1;
    response.once('socket', () => {
      this.#slices.push(() => {
        if (this.#lines.get(socket) !== line) return;
        this.#waiting -= 1;
        line.waiting -= 1;
        if (line.waiting === 0) line.leave();
        work();
      });
    });
  }

  /** Nothing more is read from a connection as long as requests wait on it. */
  #open(socket: Socket): Line {
    const hold = () => {
      if (this.#lines.get(socket) !== line) return;
      // Where it was paused between the call of `resume` and its event, its handle reads on, and `pause` would do nothing.
      if (socket.isPaused()) socket.emit('pause');
      else socket.pause();
    };
    const leave = () => {
      if (!this.#lines.delete(socket)) return;
      this.#waiting -= line.waiting;
      socket.off('resume', hold).off('close', leave);
      // Its next read may hold as many again: no two such connections are read in one turn.
      if (!socket.destroyed) this.#slices.push(() => socket.resume(), true);
    };
    const line: Line = { waiting: 0, leave };
    this.#lines.set(socket, line);
    // The parser, which is at work now, resumes its socket after each message; so does Node after each long answer.
    process.nextTick(hold);
    socket.on('resume', hold).on('close', leave);
    return line;
  }
}
