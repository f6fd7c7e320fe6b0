import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodiesOf, fileOf } from '../data/bodies.js';
import type { Shape } from '../data/shape.js';
import { send, sendingOf } from '../load.js';
import { apl, call, createDataset } from '../server.js';
import type { Context, World } from '../world.js';
import { loadDuck } from '../baselines/duckdb.js';
import { createJson, createTyped, jsonTable, loadJson, loadTyped, mergeAll } from '../baselines/engine.js';

/** Loads events into the systems whose results are compared. */

const eventsPerBody = 5000;

/** Loads the same events into every system that is compared. */
export async function loadEverywhere(context: Context, world: World, shape: Shape, events: number): Promise<void> {
  const { server, yardstick, duck } = world;
  const path = await fileOf(context.dataDirectory, shape, events);
  await createDataset(server, shape.name);
  await sendFile(server, shape, path);
  await createTyped(yardstick.engine, shape.name, shape);
  await loadTyped(yardstick.engine, shape.name, shape, path);
  await createJson(yardstick.engine, jsonTable(shape.name));
  await loadJson(yardstick.engine, jsonTable(shape.name), path);
  // Our data is merged once it is quiet, so theirs is merged too.
  for (const table of [shape.name, jsonTable(shape.name)]) await mergeAll(yardstick.engine, table);
  if (duck !== undefined) await loadDuck(duck, shape.name, shape, path);
}

/** Sends a file of any length, a part at a time. */
export async function sendFile(server: World['server'], shape: Shape, path: string): Promise<void> {
  for await (const lines of partsOf(path, 40 * eventsPerBody))
    await send(server, { dataset: shape.name, ...sendingOf(shape, await bodiesOf(lines, eventsPerBody), 2) });
  await apl(server, `['${shape.name}'] | count`);
}

/** Yields the lines of a file in chunks. */
export async function* partsOf(path: string, lines: number): AsyncGenerator<readonly string[]> {
  let part: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    part.push(line);
    if (part.length < lines) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Longer than the server waits to be idle and takes to merge. */
const patienceMilliseconds = 300_000;

/**
 * Waits until the server has done the merges it does once it is quiet, as it would some time after
 * any load.
 */
export async function waitUntilMerged(server: World['server']): Promise<void> {
  const end = performance.now() + patienceMilliseconds;
  while (!/^millrace_settled 1$/m.test(await call(server, '/metrics'))) {
    if (performance.now() > end) throw new Error('the server does not settle');
    await sleep(500);
  }
}
