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
  const texts = ['', 'a', '=', undefined, 'null'];
  const dynamics = ['1', '"1"', '1.0', undefined, '{"k": 1.0}', '[1,  2]'];
  const events = Array.from({ length: 60 }, (_, i) => ({
    _time: new Date(Date.UTC(2024, 5, 15, 11) + i * 60_000).toISOString(),
    'real#f': reals[i % 4] ?? null,
    'text#s': texts[i % 5] ?? null,
    'json#j': dynamics[i % 6] ?? null,
    'flag#b': i % 3 === 0 ? null : i % 3 === 1,
  }));
  // The rows are sent as JSON, in which -0 becomes 0.
  catalog = catalogOf(createDataset(engine, 'events', events));
  engine.text(
    'ALTER TABLE events.events UPDATE `real#f` = -0. WHERE `real#f` = 0 AND _row % 4 = 1 SETTINGS mutations_sync = 1',
  );
});

const rowsOf = (text: string): readonly string[] =>
  outcomeOf(engine, `${text} | project-reorder * asc`, { catalog }).split('\n').slice(1).toSorted();

describe('the greatest series hold all rows of their groups', () => {
  it.each(['real', 'text', 'json', 'flag', '-real', 'real, text', 'real, json', 'text, json', 'real, flag, json'])(
    '%s',
    (by) => {
      const all = `events | summarize n = count() by bin(_time, 15m), ${by.replace('-real', 'r = -real')}`;
      expect(rowsOf(`${all} | limit 500`)).toEqual(rowsOf(`${all} | where n > 0`));
    },
  );

  it.each(['1 / real', 'real(null) * real', 'iff(flag, real / 0, real)', 'json'])('and no others: %s', (by) => {
    const counts = rowsOf(`events | summarize n = count() by bin(_time, 1h), g = ${by} | limit 1`);
    expect(counts).toHaveLength(1);
  });
});

it('the totals follow the requested order of the shown rows', () => {
  const query = 'events | where real == 1.5 or text == "a" | summarize low = -count() by bin(_time, 15m), text';
  const { totals } = compileOrThrow(query, { catalog });
  expect(totals?.order).toEqual([{ field: 'low', desc: true }]);
  const low = engine.rows(totals!.query).map(([, value]) => Number(value));
  expect(low).toEqual(low.toSorted((a, b) => b - a));
  expect(new Set(low).size).toBeGreaterThan(1);
});
