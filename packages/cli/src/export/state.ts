import { open, readFile, rename, rm } from 'node:fs/promises';
import { Failure } from '../failure.js';

export const exportFormats = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * How far an export has come, kept beside the rows collected on disk. Whatever the format, rows are
 * collected as NDJSON: it can be cut off and continued anywhere, and the columns and their types
 * are known only at the end.
 */
export interface ExportState {
  readonly format: 1;
  /** The query; a resumed export must have the same. */
  readonly apl: string;
  readonly start: string | null;
  readonly end: string | null;
  /** When it began, in milliseconds since the epoch; absent from states of older versions. */
  readonly began?: number;
  /** Bytes and rows of the collected part that are durable. */
  readonly bytes: number;
  readonly rows: number;
  /** The cursor of the last row, after which to continue. */
  readonly cursor: string | null;
  /**
   * Column → types seen, in the order in which the columns came. Absent if rows were streamed,
   * because a stream names no columns.
   */
  readonly columns?: Readonly<Record<string, string>>;
}

export const partOf = (output: string): string => `${output}.part`;
const stateOf = (output: string): string => `${output}.part.json`;

/** @throws Failure when the state that is there cannot be continued */
export async function readState(output: string): Promise<ExportState | undefined> {
  const text = await readFile(stateOf(output), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const state = JSON.parse(text) as ExportState;
    if (state.format === 1) return state;
  } catch {
    // Reported below.
  }
  throw new Failure('failed', `${stateOf(output)} cannot be read; remove it to begin again`);
}

/** Replaces the whole state; durable once it resolves. */
export async function writeState(output: string, state: ExportState): Promise<void> {
  const path = stateOf(output);
  const unfinished = `${path}.new`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(state));
    await file.sync();
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

export async function removeParts(output: string): Promise<void> {
  await rm(partOf(output), { force: true });
  await rm(stateOf(output), { force: true });
}
