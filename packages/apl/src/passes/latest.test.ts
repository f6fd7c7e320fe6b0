import { printQuery } from '@millrace/sql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from '../model/catalog.js';
import { compileOrThrow, noDatasets } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { catalogOf, createDataset } from '../testing/events.js';
import { outcomeOf } from '../testing/golden.js';

const engine = testEngine();
let catalog: Catalog = noDatasets;
beforeAll(() => {
  const reals = [0, -0, 1.5, undefined];
  const texts = ['', 'a', '=', undefined];
  const events = Array.from({ length: 64 }, (_, i) => ({
    _time: new Date(Date.UTC(2024, 5, 15, 9) + ((i * 37) % 64) * 60_000).toISOString(),
    'n#i': i,
    ...(texts[i % 4] !== undefined && { 'text#s': texts[i % 4] }),
    ...(reals[(i >> 2) % 4] !== undefined && { 'real#f': reals[(i >> 2) % 4] }),
    ...(i % 3 > 0 && { 'flag#b': i % 3 === 1 }),
    ...(i % 5 > 0 && { 'some#s': `s${i}` }),
  }));
  catalog = catalogOf(createDataset(engine, 'events', events));
});

const sqlOf = (text: string): string => printQuery(compileOrThrow(text, { catalog }).query);
const rowsOf = (text: string): string => outcomeOf(engine, text, { catalog });

describe('fields of the latest and earliest rows, found by their time', () => {
  it.each([
    'events | summarize arg_max(_time, *)',
    'events | summarize arg_max(_time, some, n) by text',
    'events | summarize arg_min(_time, n) by text, real',
    'events | summarize arg_max(_time, some, n) by real, flag',
    'events | summarize arg_max(_time, n) by text, zero = -0.0',
    'events | summarize arg_max(_time, *) by k = strcat(text, "="), flag',
    'events | summarize arg_max(_time, n) by bin(_time, 10m), text',
    'events | where n % 7 > 1 and text != "a" | extend n = n * 2 | summarize arg_min(_time, n, some, real) by flag',
    'events | where n > 100 | summarize arg_max(_time, *)',
    'events | where n > 100 | summarize arg_max(_time, *) by text',
  ])('%s', (text) => {
    const ordered = '| sort by n asc | project-reorder * asc';
    // With an additional count, every row is needed.
    const whole = text.replace(/arg_(max|min)\(/, 'rows = count(), arg_$1(');
    expect(sqlOf(text)).toContain(' IN (SELECT');
    expect(sqlOf(whole)).not.toContain(' IN (SELECT');
    const rows = rowsOf(`${text} ${ordered}`);
    expect(rows).toContain(' | ');
    expect(rows).toBe(rowsOf(`${whole} | project-away rows ${ordered}`));
  });

  it('whose filters are counted apart', () => {
    const { counts } = compileOrThrow('events | where n > 9 | summarize arg_max(_time, *)', { catalog });
    expect(counts?.matched.kind).toBe('query');
  });

  it.each([
    'events | summarize arg_max(n, *) by text',
    'events | summarize arg_max(_time, n), arg_min(_time, some) by text',
    'events | summarize arg_max(_time, n), max(n) by text',
    'events | where rand() < 0.5 | summarize arg_max(_time, n) by text',
    'events | extend g = strcat(text, new_guid()) | summarize arg_max(_time, n) by g',
    'events | summarize arg_max(_time, n) by rand(3)',
    'events | extend r = row_number() | summarize arg_max(_time, n) by r % 2',
    'events | where n > 9 | summarize arg_max(_time, n, some) by text',
    'events | take 9 | summarize arg_max(_time, n) by text',
    'events | extend _time = _time + 1h | summarize arg_max(_time, n) by text',
  ])('not of others: %s', (text) => expect(sqlOf(text)).not.toContain(' IN (SELECT'));
});
