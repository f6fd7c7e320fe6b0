import { printQuery } from '@millrace/sql';
import { beforeAll, expect, it } from 'vitest';
import type { Catalogue } from '../catalogue.js';
import { compiled, noDatasets } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { createSample } from '../testing/sample.js';

const engine = testEngine();
let catalogue: Catalogue = noDatasets;
beforeAll(() => {
  catalogue = createSample(engine);
});

const plan = (apl: string): string => {
  const { query } = compiled(apl, { catalogue, rowIds: true });
  return engine.text(`EXPLAIN ${printQuery(query)} FORMAT TSVRaw`);
};

it.each(['logs', 'logs | take 2', 'logs | where status >= 400', 'logs | sort by _time asc | take 2'])(
  'reads the columns of a page only where its rows are: %s',
  (apl) => expect(plan(apl)).toContain('LazilyRead'),
);
it('needs all rows of what is no page', () =>
  expect(plan('logs | summarize count() by method')).not.toContain('Lazily'));
