import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedOptions, openEmbedded } from '../embedded-engine.js';
import type { Engine, Insert, OutputFormat, QueryOptions } from '../engine.js';
import type { EngineError } from '../errors.js';

/** An embedded engine in a separate directory, and its details that tests check. */
export interface TestEngine {
  readonly engine: Engine;
  readonly directory: string;
  readonly options: EmbeddedOptions;
  /** Id of the current engine process. */
  pid(): number;
  /** Closes the engine and removes its directory. */
  end(): Promise<void>;
}

export async function testDirectory(within = tmpdir()): Promise<string> {
  return mkdtemp(join(within, 'millrace-engine-'));
}

export async function openTestEngine(options: Partial<EmbeddedOptions> = {}): Promise<TestEngine> {
  const directory = options.directory ?? (await testDirectory());
  let pid = 0;
  const full: EmbeddedOptions = {
    directory: join(directory, 'engine'),
    scratchDirectory: join(directory, 'scratch'),
    memoryBytes: 2e9,
    ...options,
    log: (_level, _message, fields) => {
      if (typeof fields?.['pid'] === 'number') pid = fields['pid'];
    },
  };
  const engine = await openEmbedded(full);
  return {
    engine,
    directory,
    options: full,
    pid: () => pid,
    end: async () => {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The result as text, trimmed. */
export async function text(engine: Engine, sql: string, options: Partial<QueryOptions> = {}): Promise<string> {
  const { body } = await engine.query(sql, { format: 'TabSeparated', ...options });
  return Buffer.from(body).toString().trim();
}

/** The error a promise ends with; anything else fails the test. */
export async function errorOf(work: Promise<unknown>): Promise<EngineError> {
  return work.then(
    (value) => {
      throw new Error(`expected an error, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error as EngineError,
  );
}

export async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The result of a SELECT as an insert of one Native block; types are the ones given. */
export async function blockOf(
  engine: Engine,
  select: string,
  into: { readonly database?: string; readonly table: string; readonly columns: Insert['columns'] },
): Promise<Insert> {
  const { body } = await engine.query(select, {
    format: 'Native' satisfies OutputFormat,
    settings: { max_block_size: 10_000_000 },
  });
  return { table: { database: into.database ?? 'default', table: into.table }, columns: into.columns, chunks: [body] };
}

/** Waits for a condition; fails when the time is up. Returns the milliseconds waited. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  milliseconds = 10_000,
): Promise<number> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > milliseconds) throw new Error(`waited in vain: ${what}`);
    await sleep(5);
  }
  return performance.now() - start;
}

/** Whether the process still runs; a zombie does not count. */
export function processLives(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}
