import type { Connection } from '../connection.js';
import { type RunQuery, queryForRun } from '../queries/query-for-run.js';
import { difference } from '../queries/compare.js';
import type { Question } from '../queries/question.js';
import type { Figure } from '../result.js';
import { apl } from '../server.js';
import { notInstalled, type World } from '../world.js';
import { ask } from '../baselines/engine.js';

/** The systems that run a query, ours first. */
export interface System {
  readonly name: string;
  readonly ask: (query: RunQuery) => Promise<readonly (readonly unknown[])[]>;
  /**
   * CPU milliseconds used so far; undefined for a system that shares a process with the clients.
   */
  readonly cpu?: () => number;
}

export function systemsOf(
  { columns, duck: duckSql }: Question,
  { server, yardstick, duck }: World,
  connection: Connection,
): readonly System[] {
  return [
    {
      name: 'ours',
      ask: ({ apl: text, range }) => apl(server, text, { connection, range, columns }),
      cpu: server.cpuMilliseconds,
    },
    { name: 'hand-written SQL', ask: ({ sql }) => ask(yardstick.engine, sql), cpu: yardstick.cpuMilliseconds },
    { name: 'JSON type', ask: ({ json }) => ask(yardstick.engine, json), cpu: yardstick.cpuMilliseconds },
    ...(duck === undefined || duckSql === null
      ? []
      : [{ name: 'DuckDB', ask: ({ duck: sql }: RunQuery) => duck.ask(sql!) }]),
  ];
}

/** Milliseconds of each system, run by run. */
export type Times = ReadonlyMap<string, number[]>;

const note = (times: Map<string, number[]>, name: string, milliseconds: number): void =>
  void times.set(name, [...(times.get(name) ?? []), milliseconds]);

/**
 * Runs a query on all systems in turn, so that a disturbance of one run affects its neighbors too.
 * Records wall-clock and CPU time.
 * @param run number of the run, from 0. Determines the first system, because each finds the CPU
 * caches as the previous one left them, and the value that differs between runs.
 * @throws Error if a result differs from ours
 */
export async function askInTurn(
  question: Question,
  systems: readonly System[],
  times: Map<string, number[]>,
  cpuTimes: Map<string, number[]>,
  run = 0,
): Promise<void> {
  const start = run % systems.length;
  const query = queryForRun(question, run);
  const answers = new Map<string, readonly (readonly unknown[])[]>();
  for (const { name, ask, cpu } of [...systems.slice(start), ...systems.slice(0, start)]) {
    const before = cpu?.();
    const started = performance.now();
    const answer = await ask(query).catch((error: unknown) => {
      const { message, detail = '' } = error as Error & { detail?: string };
      throw new Error(`${question.name}, ${name}: ${message} ${detail}`, { cause: error });
    });
    note(times, name, performance.now() - started);
    if (cpu !== undefined && before !== undefined) note(cpuTimes, name, cpu() - before);
    answers.set(name, answer);
  }
  const [ours, ...others] = systems.map(({ name }) => ({ name, answer: answers.get(name)! }));
  for (const { name, answer } of others) {
    const problem = difference(question, ours!.answer, answer);
    if (problem !== undefined) throw new Error(`${question.name}: our answer is not that of ${name}: ${problem}`);
  }
}

/**
 * The parts of a figure that hold these times.
 * @param duck whether DuckDB is installed
 */
export function timesOf(times: Times, duck: boolean): Pick<Figure, 'ours' | 'against'> {
  const { ours = [], ...theirs } = Object.fromEntries(times);
  const against = Object.entries(theirs).map(([name, runs]) => ({ name, runs }));
  return { ours, against: duck ? against : [...against, { name: 'DuckDB', runs: [], missing: notInstalled }] };
}
