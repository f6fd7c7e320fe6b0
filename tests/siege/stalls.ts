import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A period in which the server's main thread was blocked. */
export interface Stall {
  readonly beat: number;
  /** CPU time of the thread. */
  readonly milliseconds: number;
  /** Wall-clock time; 0 if it was recorded while it lasted. */
  readonly wall: number;
  /** Where the thread was, if this was seen while it lasted: the innermost call first. */
  readonly frames: readonly string[];
}

/** Maximum milliseconds of a synchronous task. */
export const maxStalled = 50;

const watch = new URL(
  `file://${join(import.meta.dirname.replace(/(dist\/)?siege$/, ''), 'dist', 'siege', 'loop-watch.js')}`,
);

/** Records of the watcher in the server; see loop-watch.ts. */
export class Stalls {
  readonly #file: string;
  #seenLength = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Environment variables that enable it in the server. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=${watch.href}`, SIEGE_STALLS: this.#file };
  }

  /** The longest since the last call, with the places where it was seen. */
  longest(): Stall | undefined {
    if (!existsSync(this.#file)) return undefined;
    const text = readFileSync(this.#file, 'utf8');
    const lines = text.slice(this.#seenLength).split('\n');
    this.#seenLength = text.length;
    const stalls = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Stall);
    const longest = stalls.toSorted((a, b) => b.milliseconds - a.milliseconds)[0];
    if (longest === undefined) return undefined;
    const frames = stalls.filter(({ beat }) => beat === longest.beat).map(({ frames }) => frames.join(' < '));
    return { ...longest, frames: [...new Set(frames)].filter((places) => places !== '') };
  }
}
