import { open } from 'node:fs/promises';
import { Failure } from '../failure.js';
import type { Output } from '../io.js';
import { type ExportState, partOf, writeState } from './state.js';

/** Where the rows of a stream go. */
export interface RowSink {
  append(bytes: Uint8Array): Promise<void>;
  /** Drops everything after the first `bytes`. */
  truncate(bytes: number): Promise<void>;
  /** Makes the rows durable, with the state from which the stream continues, if there is one. */
  keep(state: ExportState | undefined): Promise<void>;
  /** Drops rows of a stream that failed and cannot be continued, where possible. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

/** The partial file next to an output. */
export async function partSink(output: string): Promise<RowSink> {
  const file = await open(partOf(output), 'a', 0o600);
  return {
    append: (bytes) => file.appendFile(bytes),
    truncate: (bytes) => file.truncate(bytes),
    keep: async (state) => {
      await file.sync();
      if (state !== undefined) await writeState(output, state);
    },
    discard: () => file.truncate(),
    close: () => file.close(),
  };
}

/** Rows as they arrive. What was written cannot be taken back. */
export function outputSink(out: Output): RowSink {
  let written = 0;
  return {
    append: async (bytes) => {
      written += bytes.byteLength;
      await out.write(bytes);
    },
    truncate: async (bytes) => {
      if (bytes < written)
        throw new Failure('failed', 'the stream broke off and cannot be continued; the rows so far are incomplete');
    },
    keep: async () => undefined,
    discard: async () => undefined,
    close: async () => undefined,
  };
}
