import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bytesOnDisk } from '../bench/src/bytes-on-disk.js';
import { readOptions } from '../bench/src/command-line.js';
import { fileOf } from '../bench/src/data/bodies.js';
import { httpLogs } from '../bench/src/data/http-logs.js';
import { clientsNamed } from '../bench/src/load.js';
import { familyOf } from '../bench/src/process-figures.js';
import { difference } from '../bench/src/queries/compare.js';
import type { Question } from '../bench/src/queries/question.js';
import { ratioChart } from '../bench/src/report/chart.js';
import { overviewTable } from '../bench/src/report/overview.js';
import { publish } from '../bench/src/report/page.js';
import { summary } from '../bench/src/report/summary.js';
import { figureLine, figureTable, judge, markdown, profileTable } from '../bench/src/report/figures-table.js';
import type { Figure, Results } from '../bench/src/result.js';
import { bytesFor, lackOfRoom } from '../bench/src/room.js';
import { runSuites } from '../bench/src/run.js';
import { makeScratch } from '../bench/src/scratch.js';
import { selectSizes, sizes } from '../bench/src/sizes.js';
import { startServer } from '../bench/src/server.js';
import { askInTurn, type System } from '../bench/src/suites/systems.js';
import { isDeep } from './support/depth.js';

/**
 * The benchmark with little data: fails on a crash, a lost event, or a result that differs from
 * hand-written SQL, never because of a time.
 */

/**
 * `BENCH_SUITES=all npx vitest run tests/bench.test.ts` runs every suite with every shape of
 * events, as `npm run test:deep` does: two minutes on two cores. By default, only one suite runs.
 */
const isWhole = process.env['BENCH_SUITES'] === 'all' || isDeep;
const suites = isWhole ? ['ingest', 'acks', 'disk', 'query', 'concurrency', 'growth', 'idle', 'micro'] : ['idle'];
/** Twice the goal of the benchmark: start-up work may not be over on a busy machine. */
const idleWakeups = 40;

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-bench-test-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The figures a suite reports; throws the error if it broke off. */
async function run(only: string, report: (figure: Figure) => void = () => undefined): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const broken: unknown[] = [];
  const whole = await runSuites({
    // Nothing is timed here, so no warm-up is needed.
    sizes: isWhole ? sizes.tiny : { ...sizes.tiny, shapes: ['logs'], warmingRounds: 0 },
    only: [only],
    dataDirectory: directory,
    resultsDirectory: directory,
    report: (figure) => {
      figures.push(figure);
      report(figure);
    },
    say: () => undefined,
    brokeOff: ({ error }) => broken.push(error),
  });
  expect(whole).toBe(broken.length === 0);
  if (!whole) throw broken[0];
  return figures;
}

describe('suites', { timeout: 300_000 }, () => {
  it.each(suites)('%s', async (name) => {
    const figures = await run(name);
    expect(figures.length).toBeGreaterThan(0);
    for (const figure of figures) {
      expect([...figure.against, ...(figure.goals ?? [])].length, figure.name).toBeGreaterThan(0);
      // Not necessarily positive: the HTTP overhead is a difference, and may be negative with
      // little data.
      for (const value of figure.ours) expect(value, figure.name).toSatisfy(Number.isFinite);
      expect(figureLine(figure)).toContain(figure.name);
    }
    const idle = figures.find(({ name: of }) => of === 'idle with 0 events, wakeups');
    if (name === 'idle') expect(idle?.ours[0]).toBeLessThan(idleWakeups);
  });

  it('the peer is left out in words where it cannot be built', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const said = vi.spyOn(console, 'error').mockReturnValue();
    try {
      expect(await run('peers')).toEqual([]);
      expect(said.mock.calls).toEqual([
        [expect.stringMatching(/^VictoriaLogs v\S+ is left out: Go is not installed$/)],
      ]);
    } finally {
      said.mockRestore();
      vi.unstubAllEnvs();
    }
  });

  it.runIf(isWhole)('metrics are measured without the peer where it cannot be built', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const said = vi.spyOn(console, 'error').mockReturnValue();
    try {
      const figures = await run('metrics');
      expect(figures.map(({ name }) => name)).toContain('rate of a metric');
      for (const { ours, against, name } of figures) {
        expect(ours.length, name).toBeGreaterThan(0);
        expect(against).toEqual([{ name: expect.any(String), runs: [], missing: 'not built' }]);
      }
      expect(said.mock.calls).toEqual([
        [expect.stringMatching(/^VictoriaMetrics v\S+ is left out: Go is not installed$/)],
      ]);
    } finally {
      said.mockRestore();
      vi.unstubAllEnvs();
    }
  });

  it('one that breaks off leaves nothing behind', async () => {
    const listLeftovers = (): readonly unknown[] => [
      familyOf(process.pid),
      readdirSync(directory).filter((name) => name.startsWith(`millrace-bench-${process.pid}-`)),
    ];
    const [before, broken] = [listLeftovers(), new Error('no room for figures')];
    let within: readonly unknown[] = [];
    const reported = run('acks', () => {
      within = listLeftovers();
      throw broken;
    });
    await expect(reported).rejects.toBe(broken);
    expect(within).not.toEqual(before);
    expect(listLeftovers()).toEqual(before);
  });
});

it('what a run that was killed left is removed by the next', () => {
  // One more than the largest process id on Linux.
  const dead = join(directory, 'millrace-bench-4194305-x');
  const others = [join(directory, `millrace-bench-${process.ppid}-x`), join(directory, 'millrace-bench-x')];
  for (const path of [dead, ...others]) mkdirSync(path);
  const { directory: made, remove } = makeScratch(directory);
  expect([dead, made, ...others].map((path) => existsSync(path))).toEqual([false, true, true, true]);
  remove();
  expect([made, ...others].map((path) => existsSync(path))).toEqual([false, true, true]);
});

it('the server has its defaults, whatever settings the environment has', { timeout: 60_000 }, async () => {
  vi.stubEnv('MILLRACE_ENGINE_SESSIONS', 'many');
  try {
    const server = await startServer(join(directory, 'defaults'));
    await server.stop();
    expect(server.startSeconds).toBeGreaterThan(0);
  } finally {
    vi.unstubAllEnvs();
  }
});

it('a file of events is kept until they are made another way', async () => {
  const kept = mkdtempSync(join(directory, 'files-'));
  const first = await fileOf(kept, httpLogs, 3);
  expect(await fileOf(kept, httpLogs, 3)).toBe(first);
  const other = await fileOf(kept, { ...httpLogs, event: () => '{}' }, 3);
  expect([first, other].map((path) => existsSync(path))).toEqual([false, true]);
});

it('what a directory takes on the disk counts each file once, whatever links to it', () => {
  const [of, table] = [join(directory, 'counted'), join(directory, 'counted', 'store')];
  mkdirSync(table, { recursive: true });
  writeFileSync(join(table, 'part'), Buffer.alloc(100_000, 1));
  linkSync(join(table, 'part'), join(table, 'the same part'));
  symlinkSync('store', join(of, 'table'));
  expect(bytesOnDisk(of)).toBe(512 * statSync(join(table, 'part')).blocks);
  expect(bytesOnDisk(join(of, 'gone'))).toBe(0);
});

it('a disk with too little room is reported before the measurement', () => {
  const needed = bytesFor(sizes.medium, []);
  expect(needed).toBeGreaterThan(bytesFor(sizes.medium, ['query']));
  expect(lackOfRoom(directory, 1)).toBeUndefined();
  expect(lackOfRoom(directory, 2 ** 60)).toMatch(/ GB free, and this run may take 1152921504.6 GB: make room/);
});

describe('answers are compared', () => {
  const question: Question = { name: 'q', apl: '', sql: '', json: '' };

  it.each([
    ['rows in any order', {}, [[1, 2]], [[2, 1]], true],
    ['an order that matters', { ordered: true }, [[1, 2]], [[2, 1]], false],
    ['another value', {}, [[1, 2]], [[1, 3]], false],
    ['a row less', {}, [[1]], [[1, 2]], false],
    ['a column less', {}, [[1]], [[1], [2]], false],
    ['times in two spellings', {}, [['2026-11-01T00:00:01Z']], [['2026-11-01 00:00:01.000000']], true],
    ['times that differ by a microsecond', {}, [['2026-11-01T00:00:01Z']], [['2026-11-01 00:00:01.000001']], false],
    ['numbers as text', {}, [[12]], [['12']], true],
    ['an estimate within its share', { estimates: { 0: 0.1 } }, [[100]], [[95]], true],
    ['an estimate beyond it', { estimates: { 0: 0.1 } }, [[100]], [[80]], false],
    [
      'rows that are matched although an estimate differs',
      { estimates: { 1: 0.1 } },
      [
        ['a', 'b'],
        [10, 20],
      ],
      [
        ['b', 'a'],
        [19, 10],
      ],
      true,
    ],
  ] as const)('%s', (_, more, ours, theirs, same) =>
    expect(difference({ ...question, ...more }, ours, theirs) === undefined).toBe(same),
  );
});

it('a system that answers something else ends the measurement, with both answers', async () => {
  const question: Question = { name: 'q', apl: '', sql: '', json: '' };
  const answeringSystem = (name: string, value: number): System => ({ name, ask: async () => [[value]] });
  const compareWith = (theirs: number) =>
    askInTurn(question, [answeringSystem('ours', 1), answeringSystem('SQL', theirs)], new Map(), new Map());
  await expect(compareWith(1)).resolves.toBeUndefined();
  await expect(compareWith(2)).rejects.toThrow('q: our answer is not that of SQL: row 0, column 0: 1 and not 2');
});

describe('reports', () => {
  const figure: Figure = {
    suite: 's',
    name: 'n',
    unit: 'MB/s',
    better: 'higher',
    ours: [10, 20, 30],
    against: [
      { name: 'a', runs: [10, 10, 10] },
      { name: 'b', runs: [], missing: 'not installed' },
    ],
    goals: [
      { yardstick: 'a', atLeast: 2.5 },
      { yardstick: 'b', atLeast: 1 },
    ],
    profile: [{ name: 'encode', place: 'encode.js:7', share: 0.25 }],
  };

  it('ratios are computed per run; a goal without a reference is not judged', () =>
    expect(judge(figure)).toEqual([{ measured: '×2.00', middle: '1.50 to 2.50', goal: '≥ 2.5 × a', met: false }]));

  it('names count clients', () => expect([1, 2].map(clientsNamed)).toEqual(['1 client', '2 clients']));

  it('a goal without a yardstick is about the figure itself, in its unit', () =>
    expect(judge({ ...figure, against: [], goals: [{ atLeast: 25 }, { atMost: 25 }] })).toEqual([
      { measured: '20.0 MB/s', middle: '15.0 to 25.0', goal: '≥ 25 MB/s', met: false },
      { measured: '20.0 MB/s', middle: '15.0 to 25.0', goal: '≤ 25 MB/s', met: true },
    ]));

  it('a table shows median, spread, ratio and missing values', () =>
    expect(figureTable([figure], markdown).split('\n').at(-1)).toBe(
      '| n | 20.0 ±25% MB/s | 10.0 ±0% (×2.00) | not installed |',
    ));

  it('a profile shows where the time was spent', () =>
    expect(profileTable([figure], markdown).split('\n').at(-1)).toBe('| n | `encode` | encode.js:7 | 25 % |'));

  it('an overview has the median, the worst and the best ratio to each yardstick', () => {
    const times = [5, 20, 30].map((time, i) => ({ ...figure, name: `n${i}`, better: 'lower' as const, ours: [time] }));
    expect(
      overviewTable([['s', times]], markdown)
        .split('\n')
        .slice(2),
    ).toEqual(['| s | a | 3 | ×2.00 | ×3.00: n2 | ×0.50: n0 |']);
    expect(overviewTable([['s', [...times, figure]]], markdown)).toBe('');
  });

  it('a terminal gets tables whose columns are in line', () =>
    expect(summary([figure, { ...figure, name: 'longer' }], ['s'], true).split('\n')).toEqual(
      expect.arrayContaining([
        '              Millrace                 a              b',
        'n       20.0 ±25% MB/s  10.0 ±0% (×2.00)  not installed',
        's: longer  ≥ 2.5 × a     ×2.00      1.50 to 2.50  MISSED',
      ]),
    ));

  it('charts are XML whatever the labels are', () =>
    expect(ratioChart('<t>', [{ label: 'a & b', bars: [{ system: 'x', advantage: 1, text: '' }] }])).toMatch(
      /&lt;t&gt;[^]*a &amp; b/,
    ));

  it('bars begin at the line: where ours is better they end right of it, otherwise left', () => {
    const bars = [4, 1 / 4].map((advantage) => ({ system: 'x', advantage, text: '' }));
    const drawn = [
      ...ratioChart('t', [{ label: '', bars }]).matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)" height="10" f/g),
    ];
    // The first one belongs to the legend.
    const [better, worse] = drawn.slice(1).map(([, x, width]) => ({ from: Number(x), to: Number(x) + Number(width) }));
    expect(better!.from).toBe(worse!.to);
    expect(better!.to - better!.from).toBe(worse!.to - worse!.from);
  });
});

describe('results add up', () => {
  const machine = { processor: 'p', cores: 2, memoryGiB: 8, system: 's', node: 'v20' };
  const results = (
    date: string,
    figures: Readonly<Record<string, number>>,
    size: Results['size'] = 'quick',
  ): Results => ({
    machine,
    size,
    figures: Object.entries(figures).map(([name, value]) => ({
      suite: name.split(' ')[0]!,
      name,
      unit: 'ms',
      better: 'lower',
      ours: [value],
      against: [],
      date,
    })),
  });

  /** The page after these results have been published, one after another. */
  function pageOf(...published: readonly (readonly [results: Results, replace: boolean])[]): string {
    const lab = mkdtempSync(join(directory, 'lab-'));
    for (const [one, replace] of published) publish(one, lab, { sections: ['b', 'a'], replace });
    return readFileSync(join(lab, 'performance', 'results.md'), 'utf8');
  }

  const first = results('2026-11-01T00:00:00Z', { 'a 1': 1, 'a 2': 2, 'b 1': 3 });

  it('a part that is measured again leaves the others on the page, each with its day', () => {
    const page = pageOf([first, false], [results('2026-11-09T00:00:00Z', { 'a 2': 20 }), false]);
    expect(page.match(/^(## .*|Measured .*|\| [ab] \d \| .*)$/gm)).toEqual([
      '## goals',
      '## b',
      'Measured 2026-11-01.',
      '| b 1 | 3.00 ms |',
      '## a',
      'Measured 2026-11-01 to 2026-11-09.',
      '| a 1 | 1.00 ms |',
      '| a 2 | 20.0 ms |',
    ]);
  });

  it('the page says which versions of the yardsticks there were', () => {
    const known = { ...first, versions: { engine: '26.7', duckdb: 'v1.5' } };
    expect(pageOf([known, false])).toContain('Node v20, ClickHouse 26.7, DuckDB v1.5.');
    expect(pageOf([first, false])).toContain('Node v20. ');
  });

  it('results of another size or machine are refused, unless they are to take the place of all', () => {
    const other = results('2026-11-09T00:00:00Z', { 'a 1': 10 }, 'full');
    expect(() => pageOf([first, false], [other, false])).toThrow(
      /left as it is: it has results of \(quick, p.*of \(full, p/,
    );
    expect(pageOf([first, false], [other, true]).match(/^\| [ab] \d .*$/gm)).toEqual(['| a 1 | 10.0 ms |']);
  });
});

describe('command line', () => {
  it.each([
    ['', []],
    ['--peers', ['ingest', 'acks', 'disk', 'query', 'concurrency', 'growth', 'idle', 'micro', 'peers']],
    ['--peers --only query', ['query', 'peers']],
    ['--only peers', ['peers']],
  ])('%s', (args, only) => expect(readOptions(args.split(' ').filter(Boolean))).toMatchObject({ only }));

  it('parts are chosen by suite, shape and number of events', () => {
    const options = readOptions('--full --only query --shape logs --events 2000000'.split(' '));
    expect(options).toMatchObject({ size: 'full', only: ['query'], shapes: ['logs'], events: 2_000_000 });
    if (options === 'help') throw new Error('no help was asked for');
    expect(selectSizes(sizes.full, options)).toMatchObject({
      shapes: ['logs'],
      queryEvents: [2_000_000],
      growthEvents: [1_000_000, 2_000_000],
    });
  });

  it.each([
    ['--medium --full', 'one size a run, not --medium and --full'],
    ['--only nothing', 'no suite nothing; there are ingest, '],
    ['--shape round', 'no shape round; there are logs, '],
    ['--events many', '--events takes a number of events, not many'],
    ['--only acks --shape logs', '--shape is for ingest, disk, query, micro, peers, not for acks'],
    ['--only query --only ingest --events 10', '--events is for query, growth, peers, not for ingest'],
    ['--fast', "Unknown option '--fast'"],
  ])('%s', (args, message) => expect(() => readOptions(args.split(' '))).toThrow(message));
});
