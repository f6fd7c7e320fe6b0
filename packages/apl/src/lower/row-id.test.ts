import { beforeAll, expect, it } from 'vitest';
import type { Catalog } from '../model/catalog.js';
import { compileOrThrow, compileText, noDatasets } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { createSample } from '../testing/sample.js';

const engine = testEngine();
let catalog: Catalog = noDatasets;
beforeAll(() => {
  catalog = createSample(engine);
});

const rows = (apl: string): readonly (readonly unknown[])[] => engine.rows(compileOrThrow(apl, { catalog }).query);

it('sorts as the events do and differs for each', () => {
  const byCursor = rows('logs | extend cursor = cursor_current() | sort by cursor desc | project id, cursor');
  expect(byCursor.map(([id]) => id)).toEqual(rows('logs | project id').map(([id]) => id));
  expect(new Set(byCursor.map(([, cursor]) => cursor)).size).toBe(byCursor.length);
  for (const [, cursor] of byCursor) expect(cursor).toMatch(/^[0-9a-f]{16}-[0-9a-f]{16}-[0-9a-f]{8}$/);
});

it('is null, with a warning, where rows are no events', () => {
  const result = compileText('logs | summarize n = count() | extend cursor = cursor_current()', { catalog });
  expect(result.diagnostics.map((d) => d.code)).toEqual(['missing_column']);
  expect(rows('print cursor = cursor_current()')).toEqual([[null]]);
});
