import { Connection } from '../connection.js';
import { canForget, forgetFiles } from '../page-cache.js';
import type { Question } from '../questions/question.js';
import type { Report } from '../result.js';
import { apl } from '../server.js';
import type { Worlds } from '../world.js';
import { ask } from '../yardsticks/engine.js';
import { askInTurn, systemsOf, timesOf } from './systems.js';

export interface Cold {
  readonly suite: string;
  readonly runs: number;
  readonly report: Report;
  readonly say: (what: string) => void;
}

/**
 * Questions to systems that have just started and have none of their files in memory: the wait of
 * somebody who looks at old data. In each round every system is started once, and files are dropped
 * from memory before each question. Nothing is reported where the operating system cannot do that.
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
    // Cold means the data: this query makes the process read its own code beforehand.
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
