import { expect, it } from 'vitest';
import type { CompileOptions } from '../compiled.js';
import { compiled } from './compile-text.js';
import { parseJson } from './engine.js';
import type { TestEngine } from './engine.js';

/**
 * Runs golden cases on the engine: each is a query, a line `----`, a header of column names and the rows expected, cells separated by
 * ` | `. Cells are JSON without the quotes of plain texts; null is `∅`. Cases are separated by blank lines; a line beginning with `#` names
 * the case.
 */
export function golden(engine: TestEngine, cases: string, options: () => Partial<CompileOptions> = () => ({})): void {
  for (const block of cases.trim().split(/\n\s*\n/)) {
    const lines = block.split('\n').map((line) => line.trim());
    const name = lines[0]?.startsWith('#') === true ? lines[0].slice(1).trim() : undefined;
    const at = lines.indexOf('----');
    const query = lines.slice(name === undefined ? 0 : 1, at).join('\n');
    const wanted = lines.slice(at + 1);
    it(name ?? query, () => {
      const { query: sql, output } = compiled(query, options());
      const rows = engine
        .rows(sql)
        .map((row) => row.slice(0, output.length).map((cell, i) => shown(output[i]?.json === true && typeof cell === 'string' ? parseJson(cell) : cell)).join(' | '));
      expect([output.map((column) => column.name).join(' | '), ...rows].join('\n')).toBe(wanted.join('\n'));
    });
  }
}

function shown(cell: unknown): string {
  if (cell === null) return '∅';
  if (typeof cell === 'string') return cell === '' ? '""' : cell;
  return JSON.stringify(cell, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
