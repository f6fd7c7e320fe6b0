import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedded } from '@millrace/engine';
import { bodiesOf, fileOf, linesOf } from '../data/bodies.js';
import type { Shape } from '../data/shape.js';
import { shapesNamed } from '../data/shapes.js';
import { send, sendingOf } from '../load.js';
import { apl, createDataset, startServer } from '../server.js';
import type { Context, Suite } from '../world.js';
import {
  ask,
  createJson,
  createTyped,
  diskBytes,
  jsonTable,
  loadJson,
  loadTyped,
  mergeAll,
  openYardstick,
} from '../baselines/engine.js';

/** Disk usage of the same events, fully merged. One run is enough, because nothing varies. */
export const diskSuite: Suite = async (context) => {
  const directory = join(context.directory, 'disk');
  const shapes = shapesNamed(context.sizes.shapes);
  try {
    const ours = await oursOf(context, shapes, join(directory, 'data'));
    const { engine, close } = await openYardstick(join(directory, 'yardstick'));
    try {
      for (const shape of shapes) {
        const path = await fileOf(context.dataDirectory, shape, context.sizes.ingestEvents[shape.name] ?? 1000);
        const [plain, squeezed] = [jsonTable(shape.name), `${jsonTable(shape.name)}_zstd`];
        await createJson(engine, plain);
        // With the codec of our string columns, to separate the effect of the layout from that of
        // the codec.
        await createJson(engine, squeezed, 'ZSTD(1)');
        for (const table of [plain, squeezed]) await loadJson(engine, table, path);
        await createTyped(engine, shape.name, shape);
        await loadTyped(engine, shape.name, shape, path);
        for (const table of [shape.name, plain, squeezed]) await mergeAll(engine, table);
        context.report({
          suite: 'disk',
          name: shape.title,
          unit: 'MB',
          better: 'lower',
          ours: [ours.get(shape.name)! / 1e6],
          against: [
            { name: 'JSON type', runs: [(await diskBytes(engine, plain)) / 1e6] },
            { name: 'JSON type, ZSTD', runs: [(await diskBytes(engine, squeezed)) / 1e6] },
            { name: 'hand-typed', runs: [(await diskBytes(engine, shape.name)) / 1e6] },
          ],
          ...(shape.name === 'security' && { goals: [{ yardstick: 'JSON type', atMost: 0.5 }] }),
        });
      }
    } finally {
      await close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/**
 * Shape → bytes. A running server cannot be told to merge, so the engine is opened again without
 * the server.
 */
async function oursOf(context: Context, shapes: readonly Shape[], data: string): Promise<ReadonlyMap<string, number>> {
  const server = await startServer(data);
  try {
    for (const shape of shapes) {
      context.say(`disk: ${shape.title}`);
      const path = await fileOf(context.dataDirectory, shape, context.sizes.ingestEvents[shape.name] ?? 1000);
      await createDataset(server, shape.name);
      const bodies = await bodiesOf(await linesOf(path), 5000);
      await send(server, { dataset: shape.name, ...sendingOf(shape, bodies, 2) });
      await apl(server, `['${shape.name}'] | count`);
    }
  } finally {
    await server.stop();
  }
  return mergedBytes(
    join(data, 'engine'),
    join(context.directory, 'disk-scratch'),
    shapes.map(({ name }) => name),
  );
}

async function mergedBytes(
  directory: string,
  scratchDirectory: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const engine = await openEmbedded({ directory, scratchDirectory });
  try {
    const sql =
      "SELECT table FROM system.tables WHERE database = 'millrace' AND total_rows > 0 ORDER BY toUInt32(substring(table, 2))";
    const [tables = []] = await ask(engine, sql);
    const sizes = new Map<string, number>();
    // Datasets were created in the order of these names; the last ones are ours.
    for (const [i, name] of names.entries()) {
      const table = String(tables[tables.length - names.length + i]);
      await mergeAll(engine, `millrace.${table}`);
      sizes.set(name, await diskBytes(engine, table, 'millrace'));
    }
    return sizes;
  } finally {
    await engine.close();
  }
}
