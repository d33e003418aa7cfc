/** What a stream of changes writes to, in memory. */
import { EventEmitter } from 'node:events';

/** A response whose client reads or does not. */
export class FakeSink extends EventEmitter {
  text = '';
  /** As they were handed over. */
  readonly parts: (string | Buffer)[] = [];
  writableNeedDrain = false;
  readonly socket = { resetAndDestroy: () => this.#close('reset') };
  state: 'open' | 'ended' | 'destroyed' | 'reset' = 'open';

  write(part: string | Buffer): boolean {
    this.parts.push(part);
    this.text += part.toString('latin1');
    return !this.writableNeedDrain;
  }

  end(): void {
    this.state = 'ended';
  }

  destroy(): void {
    this.#close('destroyed');
  }

  #close(state: 'destroyed' | 'reset'): void {
    this.state = state;
    this.emit('close');
  }

  /** What was written since the last call. */
  taken(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}
