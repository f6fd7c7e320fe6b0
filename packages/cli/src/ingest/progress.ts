import type { Output } from '../io.js';
import { cut } from '../render/width.js';

const everyMilliseconds = 200;

/** A status line on standard error, shown in terminals only. */
export class Progress {
  readonly #out: Output;
  #shownAt = 0;
  #visible = false;

  constructor(out: Output) {
    this.#out = out;
  }

  show(text: () => string): void {
    const now = Date.now();
    if (!this.#out.terminal || now - this.#shownAt < everyMilliseconds) return;
    this.#shownAt = now;
    this.#visible = true;
    void this.#out.write(`\r\u001B[K${cut(text(), this.#out.width - 1)}`);
  }

  async clear(): Promise<void> {
    if (this.#visible) await this.#out.write('\r\u001B[K');
    this.#visible = false;
  }
}
