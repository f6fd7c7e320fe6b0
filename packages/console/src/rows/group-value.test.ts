import { expect, it } from 'vitest';
import type { Answer } from '../data/results/results.js';
import type { Cell } from '../data/results/cells.js';
import { seriesOf } from '../charts/series-data.js';
import { colorsOf } from '../theme/value-colors.js';
import { pointedAt } from './group-value.js';

const at = '2026-11-30T10:00:00Z';

/** Counts by level, in one bucket. */
const answerOf = (levels: readonly Cell[], buckets?: { readonly field: string; readonly size: number }): Answer => {
  const fields = ['_time', 'level', 'count_'].map((name) => ({
    name,
    type: name === '_time' ? 'datetime' : name === 'level' ? 'string' : 'integer',
  }));
  const head = { fields, buckets, groups: [{ name: 'level' }], range: { start: at, end: at } };
  const columns = [levels.map(() => at), levels, levels.map((_, index) => 9 - index)];
  return { table: { head, columns, rows: levels.length }, asked: undefined } as unknown as Answer;
};

it('a missing value is named in words, and differs from texts that read alike', () => {
  const answer = answerOf(['error', null, 'null', 'no level'], { field: '_time', size: 60e9 });
  const data = seriesOf(answer);
  expect(data).toMatchObject({
    kind: 'times',
    series: [{ name: 'error' }, { name: 'no level' }, { name: 'null' }, { name: '"no level"' }],
    missing: 'no level',
  });
  expect(pointedAt(answer, 'no level')).toMatchObject({ field: 'level', cell: null });
  expect(pointedAt(answer, '"no level"')).toMatchObject({ field: 'level', cell: 'no level' });
});

it('the missing value is gray, and no other value is', () => {
  const [missing, ...others] = colorsOf(['no level', 'null', 'no luck'], 'no level');
  expect(missing).toBe('var(--line-strong)');
  expect(others).not.toContain(missing);
});
