import { expect, it } from 'vitest';
import type { Catalog, Dataset } from './catalog.js';
import { functions } from '../functions/index.js';
import type { CompileOptions } from '../compiled-query.js';
import { compile } from '../compile.js';
import { compileOrThrow, compileText, testNow, testOptions } from '../testing/compile-text.js';
import { column, printQuery } from '@millrace/sql';

const dataset = (name: string, virtualFields: Readonly<Record<string, string>> = {}): Dataset => ({
  name,
  database: 'd',
  table: name,
  fields: new Map([['n', { name: 'n', readings: [{ type: 'long', sql: column('n#i') }] }]]),
  virtualFields: new Map(Object.entries(virtualFields)),
});
const datasets = [dataset('logs'), dataset('aging', { age: 'now() - _time' }), dataset('lucky', { luck: 'rand()' })];
const catalog: Catalog = {
  names: datasets.map(({ name }) => name),
  dataset: (wanted) => datasets.find(({ name }) => name === wanted),
  view: (name) => (name === 'recent' ? "['logs'] | where _time > ago(1h) and _time < now()" : undefined),
};

it.each([
  ["['logs']", []],
  ["['logs'] | where _time > now(-1h) and _time < now()", ['clock']],
  ["['logs'] | extend t = ago(_time - _time)", ['clock']],
  ["['logs'] | extend t = datetime(10:30)", ['clock']],
  // Text that happens to contain the name of such a function.
  ["['logs'] | where tostring(n) == 'unknown agora now'", []],
  ["['recent']", ['clock']],
  ["['aging']", ['clock']],
  ["['lucky'] | project luck", ['chance']],
  // The expression is pruned from the plan.
  ["['lucky'] | project n", []],
  ["['logs'] | sample 0.5", ['chance']],
  ["['logs'] | extend id = new_guid()", ['chance']],
  ["['logs'] | extend before = prev(n)", ['other-rows']],
  ["['logs'] | where _time in (['recent'] | project _time)", ['other-rows', 'clock']],
  ["['logs'] | summarize count() by bin(_time, 1h)", []],
  ["['logs'] | summarize count() by bin_auto(_time)", ['event-times']],
  ["['logs'] | summarize rate(n)", ['event-times']],
  ["['logs'] | make-series count() on _time step 1h", ['event-times']],
  // Nothing says where its range ends.
  ["['logs'] | where _time > datetime(2024-01-01)", ['clock']],
])('%s needs %j', (apl, needs) =>
  expect([...compileOrThrow(apl, { catalog }).needs].toSorted()).toEqual(needs.toSorted()),
);

it('what gives another plan at another moment needs the clock', () => {
  const at = (apl: string, now: bigint) => {
    const found = compileText(`print value = ${apl}`, { now });
    return found.kind === 'compiled' ? { sql: printQuery(found.query), needs: found.needs } : undefined;
  };
  const wrong = functions.flatMap(({ examples }) =>
    examples
      .map(({ apl }) => apl)
      .filter((apl) => {
        const [today, tomorrow] = [at(apl, testNow), at(apl, testNow + 86_400_000_000_001n)];
        return today !== undefined && today.sql !== tomorrow?.sql && !today.needs.has('clock');
      }),
  );
  expect(wrong).toEqual([]);
});

it.each([
  ['no end given', { start: false, end: false }, 'times'],
  ['one end given', { start: true, end: false }, 'times'],
  ['both ends given', { start: true, end: true }, 'compiled'],
])('the event times are requested with %s', (_, given, kind) => {
  const options: CompileOptions = {
    ...testOptions,
    catalog,
    range: { ...testOptions.range, given },
    eventTimes: 'ask',
  };
  const found = compile("['logs'] | summarize count() by bin_auto(_time)", options);
  expect(found).toMatchObject({ kind, datasets: ['logs'] });
});
