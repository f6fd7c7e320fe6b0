import { printQuery } from '@millrace/sql';
import { describe, expect, it } from 'vitest';
import { compileOrThrow } from '../../testing/compile-text.js';
import { catalogWithoutTable } from '../../testing/tableless.js';

const catalog = catalogWithoutTable('logs', { status: 'long', took: 'real', level: 'string', tags: 'dynamic' });
const answer = (text: string): string => printQuery(compileOrThrow(text, { catalog }).query);

describe('conditions are looked at in one step', () => {
  const check = (text: string, steps: 'one' | 'many'): void =>
    it(`${text}: ${steps}`, () => {
      const sql = answer(text);
      expect([/ PREWHERE /.test(sql), / WHERE /.test(sql)]).toEqual([steps === 'one', steps === 'many']);
      expect(/enable_multiple_prewhere_read_steps = 0/.test(sql)).toBe(steps === 'one');
    });
  // There are conditions on only the time, by which the engine may count without reading.
  check('logs | count', 'many');
  check('logs | where _time > datetime(2024-06-15T11:30:00Z) | count', 'many');
  check('logs | where status >= 500 | count', 'one');
  check("logs | where level == 'error' and status >= 500 | count", 'one');
  check("logs | where level in ('error', 'warn') and not(took < 2.5) or isnull(status) | take 10", 'one');
  check("logs | where _time > datetime(2026-11-01) and level != 'debug' | summarize count() by status", 'one');
  check("union logs, logs | where level == 'error' | count", 'one');
  // Reading a long string only where the other condition holds is worth a step.
  check("logs | where level == 'error' and level contains 'x' | count", 'many');
  check('logs | where status >= 500 and tags.a == 1 | count', 'many');
  // Only stored columns can be tested first.
  check('logs | summarize n = count() by level | where n > 5', 'many');
  check('logs | mv-expand tags | where tags == 1 and status == 2', 'many');
  check('logs | where 1 == 2 | count', 'many');
});

it('does so in the counts beside an answer too', () => {
  const { counts } = compileOrThrow("logs | where level == 'error' and status >= 500 | take 10", { catalog });
  if (counts?.matched.kind !== 'query') throw new Error('nothing counted');
  expect(printQuery(counts.matched.query)).toMatch(
    / PREWHERE and\(.* SETTINGS enable_multiple_prewhere_read_steps = 0/,
  );
});
