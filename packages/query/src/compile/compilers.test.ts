import { type Catalog, compile, type CompileOptions, type Dataset, type Field } from '@millrace/apl';
import { column, literal, printQuery } from '@millrace/sql';
import { afterEach, describe, expect, it } from 'vitest';
import { Compilers } from './compilers.js';

const field = (name: string): Field => ({ name, readings: [{ type: 'long', sql: column(`${name}#i`) }] });

const rare = new Map(Array.from({ length: 1200 }, (_, i) => [`rare${i}`, field(`rare${i}`)]));
const logs: Dataset = {
  name: 'logs',
  database: 'db',
  table: 'd1',
  fields: new Map([['n', field('n')]]),
  virtualFields: new Map([['twice', 'n * 2']]),
  rest: {
    fields: {
      ending: (word) => (rare.has(word) ? [rare.get(word)!] : []),
      all: () => rare.values(),
      has: (name) => rare.has(name),
      names: () => rare.keys(),
      beneath: () => false,
    },
    bag: (without) => literal(without.join()),
    text: (without) => literal(without.join()),
    renamed: (bag) => bag,
    members: (bag) => bag,
  },
};
const catalog: Catalog = {
  names: ['logs'],
  dataset: (name) => {
    if (name === 'closed') throw new Error('forbidden');
    return name === 'logs' ? logs : undefined;
  },
  view: (name) => (name === 'v' ? 'logs | where n > 1' : undefined),
  inViews: { names: ['logs'], dataset: () => logs },
  inVirtualFields: { names: ['logs'], dataset: () => logs },
};
const options: CompileOptions = {
  catalog,
  now: 5n,
  range: { start: 0n, end: 9n, given: { start: true, end: true } },
  defaultLimit: 10,
  maxLimit: 100,
  maxBinAutoGroups: 30,
};
const asker = () => ({ token: 't', signal: new AbortController().signal });
const textOf = (text: string) => ({ kind: 'text', text }) as const;

let openCompilers: Compilers | undefined;
const open = (more: Partial<ConstructorParameters<typeof Compilers>[0]> = {}): Compilers =>
  (openCompilers = new Compilers({ compileTimeout: 60_000, ...more }));
afterEach(() => openCompilers?.close());

/** Takes longer to compile than any test runs. */
const endless = `let f0 = (x: long) { x + 1 }; ${Array.from({ length: 8 }, (_, i) => `let f${i + 1} = (x: long) { f${i}(x) + f${i}(x) + f${i}(x) };`).join(' ')} print ${Array.from({ length: 50 }, () => 'f8(1)').join(', ')}`;

describe('compilers', () => {
  it.each([
    'logs',
    'logs | where twice > 1 | project n, rare7',
    'logs | project rare*',
    'logs | getschema',
    'v | summarize count() by n',
    'union lo*',
    'logs | where nope > 1',
    'logs | where (',
    'nowhere',
  ])('give the same in a thread as here: %s', async (text) => {
    const compilers = open({ effortHere: 0 });
    expect(await compilers.compile(textOf(text), options, asker())).toEqual(compile(text, options));
    expect(compilers.threads).toBe(1);
  });

  it('give long statements as text, which is the same', async () => {
    const text = `logs | extend ${Array.from({ length: 300 }, (_, i) => `x${i} = strcat(n, '${'long '.repeat(100)}')`).join(', ')} | sort by n | extend m = n + 1`;
    const compilers = open();
    const there = await compilers.compile(textOf(text), options, asker());
    const here = compile(text, options);
    if (there.kind !== 'compiled' || here.kind !== 'compiled') throw new Error(JSON.stringify(there));
    expect(there.query).not.toEqual(here.query);
    expect(printQuery(there.query)).toBe(printQuery(here.query));
    expect({ ...there, query: undefined, totals: undefined, counts: undefined }).toEqual({
      ...here,
      query: undefined,
      totals: undefined,
      counts: undefined,
    });
  });

  it('start no thread for what takes no time', async () => {
    const compilers = open();
    await compilers.compile(textOf('logs | where n > 1'), options, asker());
    expect(compilers.threads).toBe(0);
  });

  it('leave what takes long to a thread, whatever its length', async () => {
    const compilers = open();
    await compilers.compile(textOf(`print ${Array.from({ length: 900 }, () => '1 + 2').join(', ')}`), options, asker());
    expect(compilers.threads).toBe(1);
    await compilers.compile(textOf(`print 1 ${' '.repeat(20_000)}`), options, asker());
    expect(compilers.threads).toBe(1);
  });

  it('throw what the catalog throws', async () => {
    const compilers = open({ effortHere: 0 });
    await expect(compilers.compile(textOf('closed | count'), options, asker())).rejects.toThrow('forbidden');
    expect(await compilers.compile(textOf('logs'), options, asker())).toMatchObject({ kind: 'compiled' });
  });

  it('refuse what takes longer than there is time, and go on', async () => {
    const compilers = open({ effortHere: 0, compileTimeout: 1 });
    const failed = await compilers.compile(textOf(endless), options, asker());
    expect(failed).toMatchObject({
      kind: 'failed',
      diagnostics: [{ code: 'limit', message: 'compiling the query takes longer than 1ms; make it smaller' }],
    });
    expect(compilers.threads).toBe(0);
  });

  it('are canceled when no client waits', async () => {
    const compilers = open({ effortHere: 0 });
    const abort = new AbortController();
    const compiling = compilers.compile(textOf(endless), options, { token: 't', signal: abort.signal });
    setTimeout(() => abort.abort(), 1);
    await expect(compiling).rejects.toMatchObject({ code: 'query-cancelled' });
    expect(compilers.threads).toBe(0);
  });

  it('stop when they are closed', async () => {
    const compilers = open({ effortHere: 0 });
    const compiling = compilers.compile(textOf(endless), options, asker());
    setTimeout(() => void compilers.close(), 1);
    await expect(compiling).rejects.toMatchObject({ code: 'shutting-down' });
  });

  it('reject nesting too deep for the stack', async () => {
    const span = { start: 0, end: 0 };
    type Expr =
      | { kind: 'literal'; type: 'long'; value: bigint; span: typeof span }
      | { kind: 'unary'; op: '-'; operand: Expr; span: typeof span };
    let value: Expr = { kind: 'literal', type: 'long', value: 1n, span };
    for (let i = 0; i < 20_000; i++) value = { kind: 'unary', op: '-', operand: value, span };
    const source = { kind: 'table', pattern: { text: 'logs', wildcard: false, span }, quoted: true, span } as const;
    const tree = {
      statements: [],
      query: { kind: 'pipeline', source, operators: [{ kind: 'where', condition: value, span }], span },
      span,
    };
    const failed = await open().compile({ kind: 'tree', tree: tree as never }, options, asker());
    expect(failed).toMatchObject({ kind: 'failed', diagnostics: [{ code: 'limit' }] });
  });
});
