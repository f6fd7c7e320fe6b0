import { expect, test } from 'vitest';
import { infixOperators, signOperators } from '../infix-operators.js';
import { chartKinds, operators, sources, statements } from './keywords.js';

const tables = { operators, sources, statements, infix: [...infixOperators.values()], signs: signOperators };

test.each(Object.entries(tables))('%s: each has a syntax that names it, and one line of documentation', (_, table) => {
  for (const { name, syntax, doc } of table) {
    expect(syntax).toContain(name);
    expect(doc).toMatch(/^[A-Z][^\n]*\.$/);
  }
});

test('names are unique', () => {
  for (const table of [...Object.values(tables).map((rows) => rows.map(({ name }) => name)), [...chartKinds]]) {
    expect(new Set(table).size).toBe(table.length);
  }
});
