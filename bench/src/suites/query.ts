import { Connection } from '../connection.js';
import { bodiesOf, fileOf } from '../data/bodies.js';
import { bluesky } from '../data/bluesky.js';
import { httpLogs, owners } from '../data/http-logs.js';
import type { Shape } from '../data/shape.js';
import { send } from '../load.js';
import { blueskyQuestions } from '../questions/bluesky.js';
import { difference } from '../questions/compare.js';
import { logQuestions } from '../questions/logs.js';
import type { Question } from '../questions/question.js';
import type { Figure } from '../result.js';
import { apl, createDataset } from '../server.js';
import { median, ratios } from '../statistics.js';
import { type Context, notInstalled, type Suite, type World, withWorld } from '../world.js';
import { loadDuck } from '../yardsticks/duckdb.js';
import { ask, createJson, createTyped, jsonTable, loadJson, loadTyped } from '../yardsticks/engine.js';

const ownersShape: Shape = {
  name: 'owners',
  title: 'Owners of services',
  event: (_, index) => owners[index % owners.length]!,
  sortKey: 'service',
  flat: true,
  columns: [
    { name: 'service', type: 'String', duck: 'VARCHAR' },
    { name: 'team', type: 'String', duck: 'VARCHAR' },
    { name: 'tier', type: 'UInt8', duck: 'UTINYINT' },
  ],
};

const eventsPerBody = 5000;

/** Brings the same events into everything that is compared. */
async function loadEverywhere(context: Context, world: World, shape: Shape, events: number): Promise<void> {
  const { server, yardstick, duck } = world;
  const path = await fileOf(context.dataDirectory, shape, events);
  await createDataset(server, shape.name);
  await sendFile(server, shape, path);
  await createTyped(yardstick.engine, shape.name, shape);
  await loadTyped(yardstick.engine, shape.name, shape, path);
  await createJson(yardstick.engine, jsonTable(shape.name));
  await loadJson(yardstick.engine, jsonTable(shape.name), path);
  if (duck !== undefined) await loadDuck(duck, shape.name, shape, path);
}

/** Sends a file of any length, a part at a time. */
export async function sendFile(server: World['server'], shape: Shape, path: string): Promise<void> {
  const query = shape.timestampField === undefined ? '' : `?timestamp-field=${shape.timestampField}`;
  for await (const lines of partsOf(path, 40 * eventsPerBody))
    await send(server, { dataset: shape.name, bodies: await bodiesOf(lines, eventsPerBody), clients: 2, query });
  await apl(server, `['${shape.name}'] | count`);
}

async function* partsOf(path: string, lines: number): AsyncGenerator<readonly string[]> {
  const { createReadStream } = await import('node:fs');
  const { createInterface } = await import('node:readline');
  let part: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    part.push(line);
    if (part.length < lines) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** The same question everywhere in turn, so that what disturbs one run disturbs its neighbours. */
async function compare(
  question: Question,
  { suite, runs, atMost }: { readonly suite: string; readonly runs: number; readonly atMost: number },
  world: World,
  connection: Connection,
): Promise<Figure> {
  const { server, yardstick, duck } = world;
  const duckSql = question.duck === undefined ? question.sql : question.duck;
  const systems = [
    { name: 'ours', ask: () => apl(server, question.apl, connection), times: [] as number[] },
    { name: 'hand-written SQL', ask: () => ask(yardstick.engine, question.sql), times: [] as number[] },
    { name: 'JSON type', ask: () => ask(yardstick.engine, question.json), times: [] as number[] },
    ...(duck === undefined || duckSql === null
      ? []
      : [{ name: 'DuckDB', ask: () => duck.ask(duckSql), times: [] as number[] }]),
  ];
  let expected: readonly (readonly unknown[])[] = [];
  // The first round shows whether the answers are right, and warms everybody's caches.
  for (const { name, ask } of systems) {
    const answer = await ask().catch((error: unknown) => {
      const { message, detail = '' } = error as Error & { detail?: string };
      throw new Error(`${question.name}, ${name}: ${message} ${detail}`, { cause: error });
    });
    if (name === 'ours') expected = answer;
    const problem = difference(question, expected, answer);
    if (problem !== undefined) throw new Error(`${question.name}: our answer is not that of ${name}: ${problem}`);
  }
  for (let run = 0; run < runs; run++)
    for (const { ask, times } of systems) {
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }
  const [ours, ...against] = systems;
  return {
    suite,
    name: question.name,
    unit: 'ms',
    better: 'lower',
    ours: ours!.times,
    against: [
      ...against.map(({ name, times }) => ({ name, runs: times })),
      ...(duck === undefined ? [{ name: 'DuckDB', runs: [], missing: notInstalled }] : []),
    ],
    goal: { yardstick: 'hand-written SQL', atMost },
  };
}

/** Many times as often as the others: these are milliseconds. */
const overheadRuns = 40;

/** What is between a client and the engine: a question that costs the engine next to nothing, less its SQL on the engine. */
async function overhead(suite: string, { server, yardstick }: World, connection: Connection): Promise<Figure> {
  const ours: number[] = [];
  for (let run = 0; run < overheadRuns; run++) {
    const started = performance.now();
    await apl(server, 'owners | summarize n = count() by team', connection);
    const between = performance.now();
    await ask(yardstick.engine, 'SELECT team, count() AS n FROM owners GROUP BY team ORDER BY n DESC, team');
    if (run > 0) ours.push(2 * between - started - performance.now());
  }
  return {
    suite,
    name: 'HTTP query minus SQL',
    unit: 'ms',
    better: 'lower',
    ours,
    against: [{ name: 'one ms', runs: ours.map(() => 1) }],
    goal: { yardstick: 'one ms', atMost: 5 },
  };
}

/** The set as a whole: the median of the questions' ratios. */
const summary = (figures: readonly Figure[], suite: string): Figure => {
  const of = (figure: Figure): number => median(ratios(figure.ours, figure.against[0]!.runs));
  return {
    suite,
    name: 'median of all questions, as a multiple of hand-written SQL',
    unit: '×',
    better: 'lower',
    ours: figures.map(of),
    against: [{ name: 'hand-written SQL', runs: figures.map(() => 1) }],
    goal: { yardstick: 'hand-written SQL', atMost: 1.2 },
  };
};

export const querySuite: Suite = async (context) => {
  const { sizes, report, say } = context;
  for (const events of sizes.queryEvents)
    await withWorld(context, 'query', async (world) => {
      const suite = `query, ${events.toLocaleString('en')} events`;
      const connection = new Connection(world.server.host, world.server.port);
      const sets = [
        { shape: httpLogs, questions: logQuestions, atMost: 2 },
        { shape: bluesky, questions: blueskyQuestions, atMost: 1.2 },
      ];
      say(`${suite}: loading`);
      await loadEverywhere(context, world, ownersShape, owners.length);
      report(await overhead(suite, world, connection));
      for (const { shape } of sets) await loadEverywhere(context, world, shape, events);
      const figures: Figure[] = [];
      for (const { questions, atMost } of sets)
        for (const question of questions) {
          say(`${suite}: ${question.name}`);
          const figure = await compare(question, { suite, runs: sizes.queryRuns, atMost }, world, connection);
          figures.push(figure);
          report(figure);
        }
      report(summary(figures, suite));
      connection.close();
    });
};
