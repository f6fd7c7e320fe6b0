import type { Io, Output } from '../io.js';

/** Streams that record their output. */
export interface MemoryIo extends Io {
  readonly written: { out: string; err: string };
}

export interface MemoryIoOptions {
  readonly terminal?: boolean;
  readonly width?: number;
  readonly color?: boolean;
  readonly input?: readonly (string | Uint8Array)[];
  readonly env?: Readonly<Record<string, string>>;
  readonly interrupted?: AbortSignal;
}

export function memoryIo(options: MemoryIoOptions = {}): MemoryIo {
  const { terminal = false, width = Number.POSITIVE_INFINITY, color = false, input, env = {} } = options;
  const written = { out: '', err: '' };
  const output = (stream: 'out' | 'err'): Output => ({
    terminal,
    color,
    width,
    write: async (chunk) => void (written[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()),
  });
  return {
    out: output('out'),
    err: output('err'),
    input: Object.assign(pieces(input ?? []), { terminal: input === undefined }),
    env,
    interruption: () => options.interrupted ?? new AbortController().signal,
    written,
  };
}

async function* pieces(input: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of input) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}
