/**
 * Makes room where connections are refused: closes idle connections, and those whose clients do not read.
 * While no connection is refused, it does nothing, and only the time-outs of `ConnectionLimits` apply.
 */
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits.ts';
import type { Holder } from './connection-shares.ts';

/** `silent` = no request has arrived on it yet; `idle` = all its answers are out; `busy` = one is under way. */
export type ConnectionState = 'silent' | 'idle' | 'busy';

/** Why a connection was closed to make room. */
export type DropReason = 'unused' | 'stalled';

export type SweeperOptions = {
  readonly limits: ConnectionLimits;
  readonly stateOf: (socket: Socket) => ConnectionState;
  readonly onDropped: (reason: DropReason) => void;
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock?: () => number;
};

/** A client that takes fewer bytes than this within `ConnectionLimits.refusingStallMs` does not read. */
const MIN_BYTES_READ = 4_096;
/** A holder is swept for as many times of `ConnectionLimits.refusingStallMs` after its last refusal. */
const STALL_PERIODS = 2;

type Progress = { readonly takenBytes: number; readonly at: number };

export class ConnectionSweeper {
  readonly #options: SweeperOptions;
  readonly #clock: () => number;
  /** Whose connections were refused: since the last sweep or not, and until when its readers are watched. */
  readonly #refusing = new Map<Holder, { refused: boolean; until: number }>();
  /** How far readers with unsent bytes had come, and when. */
  readonly #progress = new WeakMap<Socket, Progress>();
  /** Connections that had sent nothing at an earlier sweep. */
  readonly #silent = new WeakSet<Socket>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** Call it for each refused connection. A flood of them sweeps no more often than every `checkIntervalMs`. */
  onRefused(holder: Holder): void {
    const { refusingStallMs, checkIntervalMs } = this.#options.limits;
    const until = this.#clock() + STALL_PERIODS * refusingStallMs;
    this.#refusing.set(holder, { refused: true, until });
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#sweep(), checkIntervalMs);
    this.#timer.unref();
    this.#sweep();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#refusing.clear();
  }

  #sweep(): void {
    const now = this.#clock();
    for (const [holder, refusal] of this.#refusing) {
      for (const socket of holder.sockets) this.#judge(socket, refusal.refused, now);
      refusal.refused = false;
      if (now > refusal.until) this.#refusing.delete(holder);
    }
    if (this.#refusing.size === 0) this.stop();
  }

  #judge(socket: Socket, isRoomNeeded: boolean, now: number): void {
    if (socket.destroyed) return;
    if (this.#isStalled(socket, now)) {
      socket.destroy();
      this.#options.onDropped('stalled');
    } else if (isRoomNeeded && !socket.writableEnded && this.#isUnused(socket)) {
      // Its last answer may not have left yet.
      socket.destroySoon();
      this.#options.onDropped('unused');
    }
  }

  /** A connection that sent nothing may be a new one, whose request is on its way: it has until the next sweep. */
  #isUnused(socket: Socket): boolean {
    const state = this.#options.stateOf(socket);
    if (state !== 'silent') return state === 'idle';
    if (this.#silent.has(socket)) return true;
    this.#silent.add(socket);
    return false;
  }

  #isStalled(socket: Socket, now: number): boolean {
    const { unsentBytes, takenBytes } = writeProgress(socket);
    const earlier = this.#progress.get(socket);
    if (unsentBytes === 0) {
      this.#progress.delete(socket);
      return false;
    }
    if (earlier !== undefined && takenBytes - earlier.takenBytes < MIN_BYTES_READ)
      return now - earlier.at >= this.#options.limits.refusingStallMs;
    this.#progress.set(socket, { takenBytes, at: now });
    return false;
  }
}

/**
 * Bytes that wait for the client to read, and bytes that the system has taken. `net.Socket` uses the same two numbers
 * of its handle for its own time-out; Node documents neither.
 */
function writeProgress(socket: Socket): { unsentBytes: number; takenBytes: number } {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number; bytesWritten: number } | null };
  if (!handle) return { unsentBytes: 0, takenBytes: 0 };
  return { unsentBytes: handle.writeQueueSize, takenBytes: handle.bytesWritten - handle.writeQueueSize };
}
