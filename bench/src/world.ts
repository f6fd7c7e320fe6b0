import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './result.js';
import { type Server, startServer } from './server.js';
import type { Sizes } from './sizes.js';
import { type Duck, openDuck } from './yardsticks/duckdb.js';
import { type EngineYardstick, openYardstick } from './yardsticks/engine.js';

/** What every suite gets. */
export interface Context {
  readonly sizes: Sizes;
  readonly report: Report;
  /** A directory of this run alone; it is removed afterwards. */
  readonly directory: string;
  /** Generated files, kept from run to run. */
  readonly dataDirectory: string;
  /** Says what is being done. */
  readonly say: (what: string) => void;
}

export type Suite = (context: Context) => Promise<void>;

/** The product and what it is held against, each with a directory of its own. */
export interface World {
  readonly server: Server;
  readonly yardstick: EngineYardstick;
  readonly duck: Duck | undefined;
}

/** Opens all of them, and closes and removes them whatever happens meanwhile. */
export async function withWorld<T>(context: Context, name: string, work: (world: World) => Promise<T>): Promise<T> {
  const directory = join(context.directory, name);
  mkdirSync(directory, { recursive: true });
  const close: (() => Promise<void> | void)[] = [];
  try {
    const server = await startServer(join(directory, 'data'));
    close.push(() => server.stop());
    const yardstick = await openYardstick(join(directory, 'yardstick'));
    close.push(() => yardstick.close());
    const duck = await openDuck(join(directory, 'duck.db'));
    close.push(() => duck?.close());
    return await work({ server, yardstick, duck });
  } finally {
    for (const one of close.reverse()) await one();
    rmSync(directory, { recursive: true, force: true });
  }
}

export const notInstalled = 'not installed';
