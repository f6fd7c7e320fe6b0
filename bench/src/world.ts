import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './result.js';
import { type Server, startServer } from './server.js';
import type { Sizes } from './sizes.js';
import { type Duck, openDuck } from './baselines/duckdb.js';
import { type EngineYardstick, openYardstick } from './baselines/engine.js';

/** Context of a suite. */
export interface Context {
  readonly sizes: Sizes;
  readonly report: Report;
  /** A directory for this run alone; it is removed afterwards. */
  readonly directory: string;
  /** Generated files, reused between runs. */
  readonly dataDirectory: string;
  /** Where profiles go. */
  readonly resultsDirectory: string;
  /** Reports progress. */
  readonly say: (what: string) => void;
}

export type Suite = (context: Context) => Promise<void>;

/** The server under test and its yardsticks, each with a separate directory. */
export interface World {
  readonly server: Server;
  readonly yardstick: EngineYardstick;
  readonly duck: Duck | undefined;
}

/** Opens all of them for some work, and afterwards closes and removes them, whatever happens. */
export const withWorld = <T>(context: Context, name: string, work: (world: World) => Promise<T>): Promise<T> =>
  withWorlds(context, name, async ({ open }) => work(await open()));

export interface Worlds {
  /** Where all of them keep their data. */
  readonly directory: string;
  /** Closes the previous world and opens a new one on its data. */
  readonly open: () => Promise<World>;
}

/** Like `withWorld`, for work that closes everything and opens it again. */
export async function withWorlds<T>(context: Context, name: string, work: (worlds: Worlds) => Promise<T>): Promise<T> {
  const directory = join(context.directory, name);
  mkdirSync(directory, { recursive: true });
  const closing: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    const one = closing.pop();
    if (one === undefined) return;
    try {
      await one();
    } finally {
      // If one cannot be closed, the others still are.
      await close();
    }
  };
  const open = async (): Promise<World> => {
    await close();
    const server = await startServer(join(directory, 'data'));
    closing.push(() => server.stop());
    const yardstick = await openYardstick(join(directory, 'yardstick'));
    closing.push(() => yardstick.close());
    const duck = await openDuck(join(directory, 'duck.db'));
    closing.push(() => duck?.close());
    return { server, yardstick, duck };
  };
  try {
    return await work({ directory, open });
  } finally {
    await close();
    rmSync(directory, { recursive: true, force: true });
  }
}

export const notInstalled = 'not installed';
