import { expect, it } from 'vitest';
import { auditQuery, presets } from './preset-table.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

it('searches for a text literally', () =>
  expect(auditQuery('refused', "o'brien \\")).toBe(
    String.raw`['millrace-audit']
| where outcome == 'refused'
| search 'o\'brien \\'`,
  ));

it('presets name existing operations of the server', () => {
  const operations = readFileSync(join(import.meta.dirname, '../../../../client/src/operations.ts'), 'utf8');
  const named = presets.flatMap((preset) =>
    'where' in preset ? [...preset.where.matchAll(/'([a-z]+[A-Z]\w+)'/g)] : [],
  );
  expect(named.length).toBeGreaterThan(3);
  for (const [, name] of named) expect(operations).toContain(`readonly ${name}: {`);
});
