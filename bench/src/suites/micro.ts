import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Catalogue, compile } from '@millrace/apl';
import { ColumnBudget, DEFAULT_LIMITS, encodeJson, nativeBlocks, physicalName, type FieldType } from '@millrace/events';
import { openLog } from '@millrace/log';
import { column, printQuery } from '@millrace/sql';
import { bodiesOf, eventsOf } from '../data/bodies.js';
import { shapesNamed } from '../data/shapes.js';
import { profileOf } from '../profile.js';
import { blueskyQuestions } from '../questions/bluesky.js';
import { logQuestions } from '../questions/logs.js';
import type { Context, Suite } from '../world.js';
import { openYardstick } from '../yardsticks/engine.js';

/** The parts by themselves, and where their time goes. */

const secondsOf = async (work: () => unknown): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

/** Each line found and decoded by itself: slices of one long string are parsed at half the speed. */
function parseLines(body: Buffer): void {
  for (let at = 0; at < body.length;) {
    const next = body.indexOf(0x0a, at);
    const end = next < 0 ? body.length : next;
    if (end > at) JSON.parse(body.toString('utf8', at, end));
    at = end + 1;
  }
}

async function encoder(context: Context): Promise<void> {
  const { sizes, report, say } = context;
  for (const shape of shapesNamed(sizes.shapes)) {
    say(`micro: encoder, ${shape.title}`);
    const lines = [...eventsOf(shape, Math.ceil(sizes.microEvents / 4))];
    const bodies = await bodiesOf(lines, 5000);
    const megabytes = bodies.reduce((sum, { rawBytes }) => sum + rawBytes, 0) / 1e6;
    const encode = (): void => {
      const placement = new ColumnBudget();
      for (const { bytes, events } of bodies) {
        const { block, ingested } = encodeJson(bytes, {
          arrivalTime: 1n,
          mapFields: new Set(),
          placement,
          limits: DEFAULT_LIMITS,
          ...(shape.timestampField !== undefined && { timestampField: shape.timestampField }),
        });
        if (ingested !== events) throw new Error(`${ingested} of ${events} events encoded`);
        nativeBlocks([{ block, seq: 1n, arrival: 1n }]);
      }
    };
    const parse = (): void => {
      for (const { bytes } of bodies) parseLines(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    };
    encode();
    parse();
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let run = 0; run < Math.max(3, sizes.runs); run++) {
      ours.push(megabytes / (await secondsOf(encode)));
      theirs.push(megabytes / (await secondsOf(parse)));
    }
    report({
      suite: 'micro',
      name: `encoder, ${shape.title}`,
      unit: 'MB/s',
      better: 'higher',
      ours,
      against: [{ name: 'JSON.parse of each line', runs: theirs }],
      profile: await profileOf(join(context.resultsDirectory, 'profiles', `encoder-${shape.name}`), encode),
    });
  }
}

/** Fields as the server would know them, without a server. */
function catalogue(): Catalogue {
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

/** As many as there are questions, about. */
const selects = 25;

async function compiler(context: Context): Promise<void> {
  const { sizes, report, say } = context;
  say('micro: compiler');
  const known = catalogue();
  const questions = [...logQuestions, ...blueskyQuestions];
  const options = {
    catalogue: known,
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
      ours.push(((await secondsOf(compileAll)) * 1e6) / questions.length);
      const select = async (): Promise<void> => {
        for (let i = 0; i < selects; i++) await engine.query('SELECT 1', { format: 'JSONCompactColumns' });
      };
      theirs.push(((await secondsOf(select)) * 1e6) / selects);
    }
    report({
      suite: 'micro',
      name: 'compiler, mean of the questions',
      unit: 'µs',
      better: 'lower',
      ours,
      against: [{ name: "the engine's SELECT 1", runs: theirs }],
      profile: await profileOf(join(context.resultsDirectory, 'profiles', 'compiler'), () => {
        for (let i = 0; i < 20; i++) compileAll();
      }),
    });
  } finally {
    await close();
  }
}

/** Many appends at once that share their syncs, beside writing the same bytes to a file with one sync at the end. */
async function logAppend(context: Context): Promise<void> {
  const { sizes, report, say } = context;
  for (const [bytes, count] of [
    [500, sizes.microEvents],
    [1_000_000, Math.ceil(sizes.microEvents / 1000)],
  ] as const) {
    say(`micro: log, ${bytes} bytes`);
    const payload = Buffer.alloc(bytes, 'event ');
    const atOnce = 64;
    const append = async (): Promise<void> => {
      const directory = join(context.directory, 'log');
      const log = await openLog({ directory });
      let left = count;
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (left-- > 0) await log.append([payload]).durable;
        }),
      );
      await log.close();
      await rm(directory, { recursive: true });
    };
    const write = async (): Promise<void> => {
      const path = join(context.directory, 'plain');
      const file = await open(path, 'w');
      for (let i = 0; i < count; i += atOnce) {
        await file.writev(Array.from({ length: Math.min(atOnce, count - i) }, () => payload));
        await file.datasync();
      }
      await file.close();
      await rm(path);
    };
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let run = 0; run < sizes.runs; run++) {
      ours.push(count / (await secondsOf(append)));
      theirs.push(count / (await secondsOf(write)));
    }
    report({
      suite: 'micro',
      name: `log append of ${bytes} bytes, ${atOnce} at once`,
      unit: '1/s',
      better: 'higher',
      ours,
      against: [{ name: 'write + fdatasync of 64', runs: theirs }],
      profile: await profileOf(join(context.resultsDirectory, 'profiles', `log-${bytes}`), append),
    });
  }
}

export const microSuite: Suite = async (context) => {
  await encoder(context);
  await compiler(context);
  await logAppend(context);
};
