import { open, readFile, rename, rm } from 'node:fs/promises';
import { Failure } from '../failure.js';

export const exportFormats = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * Progress of an export, stored next to the collected rows. Rows are collected as NDJSON for all
 * formats: it can be truncated and appended anywhere, while columns and types are known only at the
 * end.
 */
export interface ExportState {
  readonly format: 1;
  /** Query; a resumed export must have the same. */
  readonly apl: string;
  readonly start: string | null;
  readonly end: string | null;
  /** Start in milliseconds since the epoch; absent in states of older versions. */
  readonly began?: number;
  /** Durable bytes and rows of the partial file. */
  readonly bytes: number;
  readonly rows: number;
  /** Cursor of the last row, where the export continues. */
  readonly cursor: string | null;
  /** Column → types seen, in order of appearance. Absent for streams, which name no columns. */
  readonly columns?: Readonly<Record<string, string>>;
}

export const partOf = (output: string): string => `${output}.part`;
const stateOf = (output: string): string => `${output}.part.json`;

/** @throws Failure when the state cannot be resumed */
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

/** Replaces the state; durable when it resolves. */
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
