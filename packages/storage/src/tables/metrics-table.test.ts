import { ColumnBudget, DEFAULT_BUDGET } from '@millrace/events';
import { expect, test } from 'vitest';
import { columnLimitsOf } from './metrics-table.js';

const fields = ['record', 'metric', 'series', 'value', 'tags', 'type', 'temporality', 'unit'];
const small = { ...DEFAULT_BUDGET, softColumns: 2, hardColumns: 4, fillBytes: 10 };
const rows = 10_000;
/** The tags of a new series and many points of others. */
const uses = fields.map((field) => ({
  field,
  type: 'string' as const,
  count: ['tags', 'type', 'temporality', 'unit'].includes(field) ? 1 : rows,
  bytes: 1,
}));

test('fields of metrics always have columns', () => {
  const place = (kind: string | undefined) =>
    new ColumnBudget(columnLimitsOf(kind, small)).place({ rows, uses }).filter(Boolean).length;
  expect(place('otel:metrics:v1')).toBe(fields.length);
  expect(place(undefined)).toBeLessThan(fields.length);
});
