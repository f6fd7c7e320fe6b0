import { join } from 'node:path';
import { type Catalog, compile } from '@millrace/apl';
import { type FieldType, physicalName } from '@millrace/events';
import { column, printQuery } from '@millrace/sql';
import { profileOf } from '../profile.js';
import { blueskyQuestions } from '../queries/bluesky.js';
import { logQuestions } from '../queries/logs.js';
import { timedOften } from '../measure-seconds.js';
import type { Context } from '../world.js';
import { openYardstick } from '../baselines/engine.js';

/** A catalog of fields such as a server would have. */
function catalog(): Catalog {
  const fields = (names: Readonly<Record<string, FieldType>>) =>
    new Map(
      Object.entries(names).map(([name, type]) => [
        name,
        {
          name,
          readings: [
            {
              type: ({ integer: 'long', float: 'real', string: 'string' } as const)[type as 'integer'],
              sql: column(physicalName(name, type)),
            },
          ],
        },
      ]),
    );
  const strings = (names: string): Record<string, FieldType> =>
    Object.fromEntries(names.split(' ').map((name) => [name, 'string']));
  const datasets = new Map(
    Object.entries({
      logs: {
        ...strings('level service host method path ip user trace_id span_id agent message'),
        status: 'integer' as const,
        bytes: 'integer' as const,
        duration_ms: 'float' as const,
      },
      owners: strings('service team'),
      bluesky: strings('did kind commit.operation commit.collection'),
    }).map(([name, names]) => [name, { name, database: 'millrace', table: name, fields: fields(names) }]),
  );
  return { names: [...datasets.keys()], dataset: (name) => datasets.get(name) };
}

/** About the number of queries. */
const selects = 25;

/** Measures the compiler against the smallest statement of the engine. */
export async function measureCompiler(context: Context): Promise<void> {
  const { sizes, report, say } = context;
  say('micro: compiler');
  const known = catalog();
  const questions = [...logQuestions, ...blueskyQuestions];
  const options = {
    catalog: known,
    now: 1_800_000_000_000_000_000n,
    range: { start: 0n, end: 1_900_000_000_000_000_000n, given: { start: true, end: true } },
    defaultLimit: 1000,
    maxLimit: 50_000,
    maxBinAutoGroups: 300,
    rowIds: true,
  };
  const compileAll = (): void => {
    for (const { apl, name } of questions) {
      const compiled = compile(apl, options);
      if (compiled.kind === 'failed') throw new Error(`${name}: ${compiled.diagnostics[0]?.message}`);
      if (compiled.kind === 'compiled') printQuery(compiled.query);
    }
  };
  const { engine, close } = await openYardstick(join(context.directory, 'micro'));
  try {
    for (let i = 0; i < 20; i++) compileAll();
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let run = 0; run < Math.max(3, sizes.runs); run++) {
      ours.push(((await timedOften(compileAll, sizes.microSeconds)) * 1e6) / questions.length);
      const select = async (): Promise<void> => {
        for (let i = 0; i < selects; i++) await engine.query('SELECT 1', { format: 'JSONCompactColumns' });
      };
      theirs.push(((await timedOften(select, sizes.microSeconds)) * 1e6) / selects);
    }
    report({
      suite: 'micro',
      name: 'compiler, mean of the questions',
      unit: 'µs',
      better: 'lower',
      ours,
      against: [{ name: "the engine's SELECT 1", runs: theirs }],
      profile: await profileOf(join(context.resultsDirectory, 'profiles', 'compiler'), () =>
        timedOften(compileAll, sizes.microSeconds),
      ),
    });
  } finally {
    await close();
  }
}
