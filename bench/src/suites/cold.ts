import { Connection } from '../connection.js';
import { canForget, forgetFiles } from '../page-cache.js';
import type { Question } from '../queries/question.js';
import type { Report } from '../result.js';
import { apl } from '../server.js';
import type { Worlds } from '../world.js';
import { ask } from '../baselines/engine.js';
import { askInTurn, systemsOf, timesOf } from './systems.js';

export interface Cold {
  readonly suite: string;
  readonly runs: number;
  readonly report: Report;
  readonly say: (what: string) => void;
}

/**
 * Measures queries on freshly started systems whose files are not in memory, as for a user who
 * reads old data. Each round starts every system once and drops its files from the page cache
 * before each query. Reports nothing if the operating system cannot drop them.
 */
export async function askCold(
  { directory, open }: Worlds,
  questions: readonly Question[],
  { suite, runs, report, say }: Cold,
): Promise<void> {
  if (!canForget) return;
  const times = new Map(questions.map((question) => [question, new Map<string, number[]>()]));
  let duck = true;
  for (let run = 0; run < runs; run++) {
    const world = await open();
    duck = world.duck !== undefined;
    const connection = new Connection(world.server.host, world.server.port);
    // Only the data should be cold: this query loads the program's code.
    await apl(world.server, 'owners | count', { connection });
    await ask(world.yardstick.engine, 'SELECT count() FROM owners');
    await world.duck?.ask('SELECT count(*) FROM owners');
    for (const [question, own] of times) {
      say(`${suite}: ${question.name}`);
      await forgetFiles(directory);
      await world.duck?.forget();
      await askInTurn(question, systemsOf(question, world, connection), own, new Map(), run);
    }
    connection.close();
  }
  for (const [{ name }, own] of times) report({ suite, name, unit: 'ms', better: 'lower', ...timesOf(own, duck) });
}
