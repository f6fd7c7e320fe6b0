import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDuck } from './baselines/duckdb.js';
import { ask, openYardstick } from './baselines/engine.js';

/** The yardsticks' results of `SELECT version()`. */
export interface Versions {
  readonly engine: string;
  readonly duckdb?: string;
}

/** @param parent of a directory that is removed again */
export async function versionsOf(parent: string): Promise<Versions> {
  const directory = join(parent, 'versions');
  const { engine, close } = await openYardstick(directory);
  try {
    const duck = await openDuck(':memory:');
    const duckdb = duck === undefined ? undefined : await duck.ask('SELECT version()');
    duck?.close();
    const of = (columns: readonly (readonly unknown[])[]): string => String(columns[0]?.[0]);
    return { engine: of(await ask(engine, 'SELECT version()')), ...(duckdb !== undefined && { duckdb: of(duckdb) }) };
  } finally {
    await close();
    rmSync(directory, { recursive: true, force: true });
  }
}
