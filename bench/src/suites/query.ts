import { Connection } from '../connection.js';
import { bodiesOf, eventsOf } from '../data/bodies.js';
import { bluesky } from '../data/bluesky.js';
import { httpLogs, owners } from '../data/http-logs.js';
import type { Shape } from '../data/shape.js';
import { send, sendingOf } from '../load.js';
import { blueskyQuestions } from '../queries/bluesky.js';
import { logQuestions } from '../queries/logs.js';
import type { Question } from '../queries/question.js';
import { queryForRun } from '../queries/query-for-run.js';
import type { Figure } from '../result.js';
import { apl, createDataset } from '../server.js';
import type { Sizes } from '../sizes.js';
import { median, ratios } from '../statistics.js';
import { type Suite, type World, withWorlds } from '../world.js';
import { ask } from '../baselines/engine.js';
import { askCold } from './cold.js';
import { loadEverywhere, waitUntilMerged } from './loading.js';
import { askInTurn, systemsOf, timesOf } from './systems.js';

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

/**
 * Durations of warm queries in milliseconds. The first round is not timed: it warms the caches of
 * all systems. Results are compared in every round.
 */
async function hot(
  question: Question,
  { suite, sizes, atMost }: { readonly suite: string; readonly sizes: Sizes; readonly atMost: number },
  world: World,
  connection: Connection,
): Promise<readonly [Figure, Figure]> {
  const systems = systemsOf(question, world, connection);
  const times = new Map<string, number[]>();
  const cpuTimes = new Map<string, number[]>();
  await askInTurn(question, systems, new Map(), new Map());
  const { queryRuns, querySeconds } = sizes;
  const spent = (): number => (times.get('ours') ?? []).reduce((sum, ms) => sum + ms / 1000, 0);
  for (let run = 0; run < queryRuns || (run < 5 * queryRuns && spent() < querySeconds); run++)
    await askInTurn(question, systems, times, cpuTimes, run);
  const figure = { name: question.name, better: 'lower' } as const;
  return [
    {
      ...figure,
      suite,
      unit: 'ms',
      ...timesOf(times, world.duck !== undefined),
      goals: [{ yardstick: 'hand-written SQL', atMost }],
    },
    { ...figure, suite: costOf(suite), unit: 'CPU ms', ...timesOf(cpuTimes, true) },
  ];
}

const warmingEvents = 100;

/**
 * Runs all queries over a hundred events repeatedly: hot queries go to a server that has run for a
 * while, and V8 optimizes code that has run often. Cold queries go to a freshly started server.
 */
async function warmCode(
  { server }: World,
  connection: Connection,
  shape: Shape,
  questions: readonly Question[],
  rounds: number,
): Promise<void> {
  const dataset = `few-${shape.name}`;
  const bodies = await bodiesOf([...eventsOf(shape, warmingEvents)], warmingEvents);
  await createDataset(server, dataset);
  await send(server, { dataset, ...sendingOf(shape, bodies, 1) });
  for (let round = 0; round < rounds; round++)
    for (const question of questions) {
      const { apl: text, range } = queryForRun(question, round);
      await apl(server, text.replace(new RegExp(`^${shape.name}\\b`), `['${dataset}']`), { connection, range });
    }
}

/**
 * The suite for the CPU time of the same queries, which depends less on other load of the machine.
 */
const costOf = (suite: string): string => `${suite}, cost`;

/** Many more runs than for other figures, because these are a few milliseconds. */
const overheadRuns = 40;

/**
 * The time between a client and the engine: that of a query with almost no engine work, minus that
 * of its SQL on the engine.
 */
async function overhead(suite: string, { server, yardstick }: World, connection: Connection): Promise<Figure> {
  const ours: number[] = [];
  for (let run = 0; run < overheadRuns; run++) {
    const started = performance.now();
    await apl(server, 'owners | summarize n = count() by team', { connection });
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
    against: [],
    goals: [{ atMost: 5 }],
  };
}

/** The metric for all queries together: the median of their ratios. */
const summary = (figures: readonly Figure[], suite: string): Figure => ({
  suite,
  name: 'median of all questions, as a multiple of hand-written SQL',
  unit: '×',
  better: 'lower',
  ours: figures.map(({ ours, against }) =>
    median(ratios(ours, against.find(({ name }) => name === 'hand-written SQL')!.runs)),
  ),
  against: [{ name: 'hand-written SQL', runs: figures.map(() => 1) }],
  goals: [{ yardstick: 'hand-written SQL', atMost: 1.2 }],
});

/** Shape → its queries, and their maximum time relative to hand-written SQL. */
const sets = [
  { shape: httpLogs, questions: logQuestions, atMost: 2 },
  { shape: bluesky, questions: blueskyQuestions, atMost: 1.2 },
];

export const querySuite: Suite = async (context) => {
  const { sizes, report, say } = context;
  const wanted = sets.filter(({ shape }) => sizes.shapes.includes(shape.name));
  for (const events of sizes.queryEvents)
    await withWorlds(context, 'query', async (worlds) => {
      const suite = `query, ${events.toLocaleString('en')} events`;
      const world = await worlds.open();
      const connection = new Connection(world.server.host, world.server.port);
      say(`${suite}: loading`);
      await loadEverywhere(context, world, ownersShape, owners.length);
      for (const { shape } of wanted) await loadEverywhere(context, world, shape, events);
      for (const { shape, questions } of wanted)
        await warmCode(world, connection, shape, questions, sizes.warmingRounds);
      await waitUntilMerged(world.server);
      report(await overhead(suite, world, connection));
      const figures: Figure[] = [];
      const costs: Figure[] = [];
      for (const { questions, atMost } of wanted)
        for (const question of questions) {
          say(`${suite}: ${question.name}`);
          const [figure, cost] = await hot(question, { suite, sizes, atMost }, world, connection);
          figures.push(figure);
          costs.push(cost);
          report(figure);
        }
      for (const cost of costs) report(cost);
      if (wanted.length === sets.length) {
        report(summary(figures, suite));
        report({ ...summary(costs, costOf(suite)), goals: [] });
      }
      connection.close();
      const questions = wanted.flatMap((set) => set.questions.slice(0, sizes.coldQuestions));
      await askCold(worlds, questions, { suite: `${suite}, cold`, runs: sizes.coldRuns, report, say });
    });
};
