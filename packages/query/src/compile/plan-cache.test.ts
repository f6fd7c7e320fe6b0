import { type Catalog, compile, type CompileOptions, type Dataset, type Field } from '@millrace/apl';
import { column, printQuery } from '@millrace/sql';
import { describe, expect, it } from 'vitest';
import { PlanCache } from './plan-cache.js';

const field = (name: string): Field => ({ name, readings: [{ type: 'long', sql: column(`${name}#i`) }] });
const fieldsOf = (...names: readonly string[]): ReadonlyMap<string, Field> =>
  new Map(names.map((name) => [name, field(name)]));
const logs: Dataset = { name: 'logs', database: 'db', table: 'd1', fields: fieldsOf('n', 'm') };
const other: Dataset = { ...logs, name: 'other', table: 'd2' };

const catalogOf = (datasets: readonly Dataset[], views: Readonly<Record<string, string>> = {}): Catalog => {
  const dataset = (name: string): Dataset | undefined => datasets.find((one) => one.name === name);
  const view = (name: string): string | undefined => views[name];
  const names = datasets.map(({ name }) => name);
  return { names, dataset, view, inViews: { names, dataset, view } };
};

const hour = 3_600_000_000_000n;
const optionsOf = (catalog: Catalog, more: Partial<CompileOptions> = {}): CompileOptions => ({
  catalog,
  now: 5n * hour,
  range: { start: hour, end: 2n * hour, given: { start: true, end: true } },
  defaultLimit: 10,
  maxLimit: 100,
  maxBinAutoGroups: 30,
  rowIds: true,
  ...more,
});
const before = optionsOf(catalogOf([logs, other], { v: 'logs | where n > 1' }));

const compileText = (text: string, options: CompileOptions) => Promise.resolve().then(() => compile(text, options));

/**
 * Compiles with one set of options and then with another: whether the second compilation reused the
 * plan of the first, and that the plan is correct.
 */
async function isReused(apl: string, first: CompileOptions, second: CompileOptions): Promise<boolean> {
  const cache = new PlanCache();
  let compilations = 0;
  const compileCounted = (text: string, options: CompileOptions) => {
    compilations++;
    return Promise.resolve(compile(text, options));
  };
  for (const options of [first, second]) {
    const [plan, fresh] = [await cache.compile(apl, options, compileCounted), compile(apl, options)];
    expect(plan).toEqual(fresh);
    if (plan.kind === 'compiled' && fresh.kind === 'compiled')
      expect(printQuery(plan.query)).toBe(printQuery(fresh.query));
  }
  return compilations === 1;
}

describe('a plan is used again', () => {
  it.each([
    ['by the same query, whatever the clock says', 'logs | where n > 1', { now: 9n * hour }],
    ['when other datasets come and go', 'logs | count', { catalog: catalogOf([logs]) }],
    [
      'when a dataset it does not read has changed',
      'logs',
      { catalog: catalogOf([logs, { ...other, fields: fieldsOf('x') }]) },
    ],
    ['for a view that is the same', 'v | count', {}],
    ['for a wildcard that means the same', 'union logs*', {}],
  ])('%s', async (_, apl, more) => expect(await isReused(apl, before, { ...before, ...more })).toBe(true));
});

it('a plan whose range ends at the current time is not reused', async () => {
  const open = { ...before, range: { start: 0n, end: 1000n * hour, given: { start: false, end: false } } };
  for (const later of [{ now: 9n * hour }, { impliedEnd: 9n * hour }])
    expect(await isReused('logs | where _time > datetime(1970-01-01)', open, { ...open, ...later })).toBe(false);
  expect(await isReused('logs | where n > 1', open, { ...open, now: 9n * hour })).toBe(true);
});

describe('a plan is not used', () => {
  const renewedOptions = (changed: Partial<Dataset>, views = {}) => ({
    catalog: catalogOf([{ ...logs, ...changed }, other], { v: 'logs | where n > 1', ...views }),
  });
  const forbidden = (): never => {
    throw new Error('forbidden');
  };
  it.each([
    ['after a new field', 'logs', renewedOptions({ fields: fieldsOf('n', 'm', 'new') })],
    ['after a field went', 'logs | where n > 1', renewedOptions({ fields: fieldsOf('m') })],
    [
      'after a rare field',
      'logs',
      renewedOptions({
        rest: {
          fields: { ending: () => [], all: () => [], has: () => false, names: () => [], beneath: () => false },
          bag: () => column('b'),
          text: () => column('t'),
          renamed: (bag) => bag,
          members: (bag) => bag,
        },
      }),
    ],
    ['for a dataset created again', 'logs | count', renewedOptions({ table: 'd3' })],
    ['with a virtual field more', 'logs', renewedOptions({ virtualFields: new Map([['twice', 'n * 2']]) })],
    ['for a view that reads something else now', 'v', renewedOptions({}, { v: 'logs | where n > 2' })],
    ['for a view over changed fields', 'v', renewedOptions({ fields: fieldsOf('n', 'm', 'new') })],
    ['without the right to the view', 'v', { catalog: catalogOf([logs]) }],
    ['without the right to the dataset', 'logs', { catalog: catalogOf([other]) }],
    ['for a wildcard that means more', 'union logs*', { catalog: catalogOf([logs, { ...other, name: 'logs2' }]) }],
    ['for another time', 'logs', { range: { ...before.range, end: 3n * hour } }],
    ['for a bound that was not asked for', 'logs', { range: { ...before.range, given: { start: true, end: false } } }],
    ['for another limit', 'logs', { defaultLimit: 11 }],
    ['behind a cursor', 'logs', { paging: { after: { time: 7n, seq: 1n, row: 1 }, inclusive: true } }],
    ['for another form', 'logs', { output: 'native' }],
    ['for other variables', 'declare query_parameters (p:long = 1); logs | where n > p', { variables: { p: 2 } }],
    ['when it has read the clock', 'logs | where _time > ago(1h)', { now: 9n * hour }],
    ['on another day', 'logs | where _time > datetime ( 10:30 )', { now: 49n * hour }],
  ] as const)('%s', async (_, apl, more) =>
    expect(await isReused(apl, before, { ...before, ...(more as Partial<CompileOptions>) })).toBe(false),
  );
  it.each([
    ['a view', 'w', catalogOf([logs], { w: 'logs | where _time > ago(1h)' })],
    [
      'a virtual field',
      'logs | where old',
      catalogOf([{ ...logs, virtualFields: new Map([['old', '_time < now()']]) }]),
    ],
  ])('when %s has read the clock', async (_, apl, catalog) =>
    expect(await isReused(apl, { ...before, catalog }, { ...before, catalog, now: 9n * hour })).toBe(false),
  );
  it('when virtual fields mean something else', async () => {
    const withField = (text: string) => ({
      ...before,
      ...renewedOptions({ virtualFields: new Map([['twice', text]]) }),
    });
    expect(await isReused('logs', withField('n * 2'), withField('n * 2'))).toBe(true);
    expect(await isReused('logs', withField('n * 2'), withField('n * 3'))).toBe(false);
  });
  it('when a virtual field may name something else', async () => {
    const named = { ...logs, virtualFields: new Map([['twice', 'n in ((other | project n))']]) };
    const within = (...datasets: readonly Dataset[]) => {
      const { inViews: _, ...inVirtualFields } = catalogOf(datasets);
      return { ...before, catalog: { ...catalogOf([named, other]), inVirtualFields } };
    };
    expect(await isReused('logs', within(named, other), within(named, other))).toBe(true);
    expect(await isReused('logs', within(named, other), within(named))).toBe(false);
  });
  it('to get around a refusal', async () => {
    const cache = new PlanCache();
    await cache.compile('logs', before, compileText);
    const catalog = { ...catalogOf([other]), dataset: forbidden };
    await expect(cache.compile('logs', { ...before, catalog }, compileText)).rejects.toThrow('forbidden');
  });
  it('of a query that failed', async () => expect(await isReused('logs | where nope(', before, before)).toBe(false));
});

it('keeps the hundred most recent plans, and no long ones', async () => {
  const cache = new PlanCache();
  const query = (n: number): string => `logs | where n == ${n}`;
  for (let n = 0; n < 150; n++) for (const text of [query(0), query(n)]) await cache.compile(text, before, compileText);
  const failCompile = (): never => {
    throw new Error('compiled again');
  };
  expect((await cache.compile(query(0), before, failCompile)).kind).toBe('compiled');
  expect((await cache.compile(query(149), before, failCompile)).kind).toBe('compiled');
  await expect(cache.compile(query(1), before, failCompile)).rejects.toThrow('compiled again');
  const [more, text] = ['x'.repeat(40_000), 'declare query_parameters (p:string = ""); logs | where p == ""'];
  const longView = { v: `logs // ${more}` };
  for (const [long, options] of [
    [`logs // ${more}`, before],
    [text, { ...before, variables: { p: more } }],
    ['v | count', { ...before, catalog: catalogOf([logs], longView) }],
  ] as const) {
    expect((await cache.compile(long, options, compileText)).kind).toBe('compiled');
    await expect(cache.compile(long, options, failCompile)).rejects.toThrow('compiled again');
  }
});
