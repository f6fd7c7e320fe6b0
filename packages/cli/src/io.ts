import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { exitCodes } from './exit-codes.js';
import { problemOf } from './system-errors.js';

/** Streams of a command. Results go to `out`, messages to `err`. */
export interface Io {
  readonly out: Output;
  readonly err: Output;
  readonly input: AsyncIterable<Uint8Array> & { readonly terminal: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Aborted by the next Ctrl-C, for a command that reports when interrupted; a second one ends the
   * process.
   */
  interruption(): AbortSignal;
}

export interface Output {
  /** Whether it is a terminal. */
  readonly terminal: boolean;
  /** Whether colors may be used. */
  readonly color: boolean;
  /** Columns of the terminal; infinite for a file or pipe. */
  readonly width: number;
  /** Resolves when the stream accepts more. */
  write(chunk: string | Uint8Array): Promise<void>;
}

/** Streams of this process. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader may stop early, as in `millrace query … | head`.
    if (error.code === 'EPIPE') process.exit(0);
    stderr.write(`millrace: standard output cannot be written: ${problemOf(error)}\n`);
    process.exit(exitCodes.failed.code);
  });
  // A command continues if its messages have no reader.
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
    // https://no-color.org: any non-empty value.
    color: terminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
    get width() {
      // A terminal of unknown size reports 0.
      return terminal ? stream.columns || 80 : Number.POSITIVE_INFINITY;
    },
    write: async (chunk) => {
      // A closed stream never drains.
      if (!stream.write(chunk) && stream.writable) await once(stream, 'drain');
    },
  };
}

const styles = { bold: '1', dim: '2', red: '31', yellow: '33' } as const;

/** Styles text if colors may be used. */
export const styleText = ({ color }: Pick<Output, 'color'>, style: keyof typeof styles, text: string): string =>
  color ? `\u001B[${styles[style]}m${text}\u001B[0m` : text;
