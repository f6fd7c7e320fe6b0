import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { exitCodes } from './exit-codes.js';
import { problemOf } from './system-errors.js';

/** Where a command reads and writes. Results go to `out`, everything about the work to `err`. */
export interface Io {
  readonly out: Output;
  readonly err: Output;
  readonly input: AsyncIterable<Uint8Array> & { readonly terminal: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Aborted by the next Ctrl-C, for a command that has something to report then; a second one ends
   * the process.
   */
  interruption(): AbortSignal;
}

export interface Output {
  /** Whether it is a terminal. */
  readonly terminal: boolean;
  /** Whether colours may be used. */
  readonly color: boolean;
  /** Columns of the terminal; unlimited for a file or a pipe. */
  readonly width: number;
  /** Resolves when more can be written. */
  write(chunk: string | Uint8Array): Promise<void>;
}

/** The streams of this process. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // It is no failure if the reader has seen enough, as in `millrace query … | head`.
    if (error.code === 'EPIPE') process.exit(0);
    stderr.write(`millrace: standard output cannot be written: ${problemOf(error)}\n`);
    process.exit(exitCodes.failed.code);
  });
  // If nobody reads the messages about the work, the work goes on.
  stderr.on('error', () => undefined);
  return {
    out: output(stdout, env),
    err: output(stderr, env),
    input: Object.assign(
      { [Symbol.asyncIterator]: () => (stdin as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]() },
      { terminal: stdin.isTTY === true },
    ),
    env,
    interruption: () => {
      const interrupted = new AbortController();
      process.once('SIGINT', () => interrupted.abort());
      return interrupted.signal;
    },
  };
}

function output(stream: Writable & { isTTY?: boolean; columns?: number }, env: Io['env']): Output {
  const terminal = stream.isTTY === true;
  return {
    terminal,
    // https://no-color.org: any value that is not empty.
    color: terminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
    get width() {
      // A terminal that does not know its size says 0.
      return terminal ? stream.columns || 80 : Number.POSITIVE_INFINITY;
    },
    write: async (chunk) => {
      // A closed stream never drains.
      if (!stream.write(chunk) && stream.writable) await once(stream, 'drain');
    },
  };
}

const styles = { bold: '1', dim: '2', red: '31', yellow: '33' } as const;

/** The text in a style, if colours may be used. */
export const styled = ({ color }: Pick<Output, 'color'>, style: keyof typeof styles, text: string): string =>
  color ? `\u001B[${styles[style]}m${text}\u001B[0m` : text;
