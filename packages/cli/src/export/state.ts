import { open, readFile, rename, rm } from 'node:fs/promises';
import { Failure } from '../failure.js';

export const exportFormats = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * How far an export has come, beside the rows that are on disk. Rows are collected as NDJSON, whatever the format: that can be cut off and continued
 * anywhere, and only at the end all columns and their types are known.
 */
export interface ExportState {
  readonly format: 1;
  /** What is exported; a resumed export has to be of the same. */
  readonly apl: string;
  readonly start: string | null;
  readonly end: string | null;
  /** Bytes and rows of the collected part that are durable. */
  readonly bytes: number;
  readonly rows: number;
  /** The last row, behind which to go on. */
  readonly cursor: string | null;
  /** Column → types seen, in the order the columns turned up. Absent if rows came as a stream, which names no columns: that becomes NDJSON only. */
  readonly columns?: Readonly<Record<string, string>>;
}

export const partOf = (output: string): string => `${output}.part`;
const stateOf = (output: string): string => `${output}.part.json`;

/** @throws Failure when what is there cannot be gone on with */
export async function readState(output: string): Promise<ExportState | undefined> {
  const text = await readFile(stateOf(output), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const state = JSON.parse(text) as ExportState;
    if (state.format === 1) return state;
  } catch {
    // Told below.
  }
  throw new Failure('failed', `${stateOf(output)} cannot be read; remove it to begin again`);
}

/** Replaces the state as a whole; durable when resolved. */
export async function writeState(output: string, state: ExportState): Promise<void> {
  const path = stateOf(output);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(state));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

export async function removeParts(output: string): Promise<void> {
  await rm(partOf(output), { force: true });
  await rm(stateOf(output), { force: true });
}
