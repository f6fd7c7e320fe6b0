import { bodiesOf, fileOf, linesOf } from '../data/bodies.js';
import { shapesNamed } from '../data/shapes.js';
import { sendingOf } from '../load.js';
import { contentsOf } from '../queries/contents.js';
import type { Runs } from '../statistics.js';
import { measureSeconds } from '../measure-seconds.js';
import { type Context, notInstalled, type World } from '../world.js';
import { loadDuck } from '../baselines/duckdb.js';
import { createJson, createTyped, jsonTable, loadJson, loadTyped } from '../baselines/engine.js';
import { besideOf, compareContents, ingestOnce, type Ours, rawBytesOf } from './ingest-once.js';
import { warmIngest } from './warm-ingest.js';

function parseAll(lines: readonly string[]): number {
  const started = performance.now();
  let keys = 0;
  for (const line of lines) keys += typeof JSON.parse(line) === 'object' ? 1 : 0;
  if (keys !== lines.length) throw new Error('not all lines are events');
  return (performance.now() - started) / 1000;
}

/** Measures all shapes, as large bodies from a few clients, against every yardstick. */
export async function compareShapes(context: Context, world: World): Promise<void> {
  const { sizes, report, say } = context;
  const { server, yardstick, duck } = world;
  for (const shape of shapesNamed(sizes.shapes)) {
    say(`ingest: ${shape.title}`);
    const events = sizes.ingestEvents[shape.name] ?? 1000;
    const path = await fileOf(context.dataDirectory, shape, events);
    const lines = await linesOf(path);
    const perBody = Math.max(1, Math.ceil((events * 4e6) / lines.reduce((sum, line) => sum + line.length, 0)));
    const bodies = await bodiesOf(lines, Math.min(perBody, Math.ceil(events / 8)));
    const rawBytes = rawBytesOf(bodies);
    const runs: Ours[] = [];
    const theirs = { json: [] as number[], typed: [] as number[], duck: [] as number[], parse: [] as number[] };
    const cpu = { json: [] as number[], typed: [] as number[] };
    const sending = sendingOf(shape, bodies, 4);
    await warmIngest(server, sending);
    for (let run = 0; run < sizes.runs; run++) {
      runs.push(await ingestOnce(server, sending, contentsOf(shape).apl));
      await createJson(yardstick.engine, jsonTable(shape.name));
      await createTyped(yardstick.engine, shape.name, shape);
      const start = yardstick.cpuSeconds();
      theirs.json.push(await loadJson(yardstick.engine, jsonTable(shape.name), path));
      const between = yardstick.cpuSeconds();
      theirs.typed.push(await loadTyped(yardstick.engine, shape.name, shape, path));
      cpu.json.push(between - start);
      cpu.typed.push(yardstick.cpuSeconds() - between);
      if (duck !== undefined) theirs.duck.push(await measureSeconds(() => loadDuck(duck, shape.name, shape, path)));
      theirs.parse.push(parseAll(lines));
    }
    await compareContents(runs, shape, yardstick);
    const rate = (seconds: Runs): Runs => seconds.map((s) => rawBytes / 1e6 / s);
    report({
      suite: 'ingest',
      name: `${shape.title}, NDJSON, 4 MB a request, 4 clients`,
      unit: 'MB/s',
      better: 'higher',
      ours: rate(runs.map((run) => run.seconds)),
      against: [
        { name: 'JSON type load', runs: rate(theirs.json) },
        { name: 'hand-typed load', runs: rate(theirs.typed) },
        { name: 'DuckDB load', runs: rate(theirs.duck), ...(duck === undefined && { missing: notInstalled }) },
        { name: 'JSON.parse', runs: rate(theirs.parse) },
      ],
      others: besideOf(runs, rawBytes, events),
      goals: [
        { yardstick: 'JSON type load', atLeast: 2.5 },
        { yardstick: 'hand-typed load', atLeast: 1 },
      ],
    });
    // CPU cost, which depends less on other load of the machine.
    const perGigabyte = (seconds: Runs): Runs => seconds.map((s) => s / (rawBytes / 1e9));
    report({
      suite: 'ingest cost',
      name: shape.title,
      unit: 'CPU s/GB',
      better: 'lower',
      ours: perGigabyte(runs.map((run) => run.cpuSeconds)),
      against: [
        { name: 'JSON type load', runs: perGigabyte(cpu.json) },
        { name: 'hand-typed load', runs: perGigabyte(cpu.typed) },
      ],
    });
  }
}
