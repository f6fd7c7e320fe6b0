import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf } from '../data/bodies.js';
import { httpLogs } from '../data/http-logs.js';
import { shapesNamed } from '../data/shapes.js';
import { difference } from '../queries/compare.js';
import { peerQuestions } from '../queries/peers.js';
import type { Context, Suite } from '../world.js';
import { builtPeer, peerName } from '../baselines/peer.js';
import { type Contestant, type LoadCost, openContestants } from './contestants.js';

/**
 * Compares Millrace with another log store, each running alone in turn with default settings: cost
 * of ingest, disk usage, and cost of queries. CPU time decides, because it depends less on other
 * load of the machine.
 */
export const peersSuite: Suite = async (context) => {
  const { report, sizes } = context;
  const built = await builtPeer(join(context.dataDirectory, 'peers'));
  if ('lack' in built) {
    console.error(`${peerName} is left out: ${built.lack}`);
    return;
  }
  for (const events of sizes.queryEvents) await compareQuestions(context, built.path, events);
  for (const shape of shapesNamed(sizes.shapes))
    if (shape !== httpLogs) {
      const path = await fileOf(context.dataDirectory, shape, sizes.ingestEvents[shape.name] ?? 1000);
      const loaded = await inTurn(context, built.path, (contestant) => contestant.load(shape, path));
      report({
        suite: 'peers',
        name: `${shape.title}, at rest`,
        unit: 'MB',
        better: 'lower',
        ...versus(loaded, ({ restBytes }) => [restBytes / 1e6]),
      });
    }
};

interface PeerAnswers {
  /** Query → results and CPU milliseconds, by run. */
  readonly answers: ReadonlyMap<string, readonly (readonly (readonly unknown[])[])[]>;
  readonly costs: ReadonlyMap<string, readonly number[]>;
}

async function compareQuestions(context: Context, peer: string, events: number): Promise<void> {
  const { report, sizes, say } = context;
  const suite = `peers, ${events.toLocaleString('en')} events`;
  const path = await fileOf(context.dataDirectory, httpLogs, events);
  const both = await inTurn(context, peer, async (contestant) => {
    say(`${suite}: ${contestant.name} loads`);
    const loaded = await contestant.load(httpLogs, path);
    await contestant.warm(peerQuestions);
    const answers = new Map<string, (readonly (readonly unknown[])[])[]>();
    const costs = new Map<string, number[]>();
    for (const question of peerQuestions) {
      say(`${suite}: ${contestant.name}: ${question.name}`);
      for (let run = 0; run < sizes.queryRuns; run++) {
        const before = contestant.cpuMilliseconds();
        const answer = await contestant.ask(question, run);
        costs.set(question.name, [...(costs.get(question.name) ?? []), contestant.cpuMilliseconds() - before]);
        answers.set(question.name, [...(answers.get(question.name) ?? []), answer]);
      }
    }
    return { ...loaded, answers, costs } satisfies LoadCost & PeerAnswers;
  });
  const [ours, theirs] = both;
  for (const question of peerQuestions)
    for (const [run, answer] of ours.answers.get(question.name)!.entries()) {
      const problem = difference(question, answer, theirs.answers.get(question.name)![run]!);
      if (problem !== undefined) throw new Error(`${question.name}: our answer is not that of ${peerName}: ${problem}`);
    }
  const figure = { suite, better: 'lower' } as const;
  const goal = (atMost: number) => ({ goals: [{ yardstick: peerName, atMost }] });
  report({
    ...figure,
    name: 'ingest',
    unit: 'CPU s/GB',
    ...versus(both, ({ cpuSeconds, bytes }) => [(cpuSeconds / bytes) * 1e9]),
  });
  report({
    suite,
    better: 'higher',
    name: 'ingest by the clock',
    unit: 'MB/s',
    ...versus(both, ({ seconds, bytes }) => [bytes / seconds / 1e6]),
  });
  report({
    ...figure,
    name: 'disk right after the load',
    unit: 'MB',
    ...versus(both, ({ loadedBytes }) => [loadedBytes / 1e6]),
  });
  report({
    ...figure,
    name: 'disk at rest',
    unit: 'MB',
    ...versus(both, ({ restBytes }) => [restBytes / 1e6]),
    ...goal(0.9),
  });
  report({ ...figure, name: 'memory at most', unit: 'MiB', ...versus(both, ({ peakBytes }) => [peakBytes / 2 ** 20]) });
  for (const { name, atMost } of peerQuestions)
    report({
      ...figure,
      name,
      unit: 'CPU ms',
      ...versus(both, ({ costs }) => costs.get(name)!),
      ...(atMost !== undefined && goal(atMost)),
    });
}

type Pair<T> = readonly [ours: T, theirs: T];

/** The same work for one and then for the other, each alone and on an empty directory. */
async function inTurn<T>(
  context: Context,
  peer: string,
  work: (contestant: Contestant) => Promise<T>,
): Promise<Pair<T>> {
  const results: T[] = [];
  for (const open of openContestants(context, peer)) {
    const directory = join(context.directory, 'peers');
    const contestant = await open(directory);
    try {
      results.push(await work(contestant));
    } finally {
      await contestant.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  }
  return [results[0]!, results[1]!];
}

const versus = <T>([ours, theirs]: Pair<T>, runs: (one: T) => readonly number[]) => ({
  ours: runs(ours),
  against: [{ name: peerName, runs: runs(theirs) }],
});
