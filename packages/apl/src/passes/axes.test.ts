import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../compiled-query.js';
import { allTimes } from '../lower/relations/scan.js';
import { compileText, compileOrThrow } from '../testing/compile-text.js';
import { catalogWithoutTable } from '../testing/tableless.js';

const catalog = catalogWithoutTable('logs', { id: 'long' });
const open = { ...allTimes, given: { start: false, end: false } };
const table = 'datatable(t:datetime)[datetime(2024-01-01)]';

const errorsOf = (text: string, options: Partial<CompileOptions> = {}): readonly string[] => {
  const found = compileText(text, { catalog, range: open, ...options });
  return found.kind === 'failed' ? found.diagnostics.map(({ message }) => message) : [];
};

describe('the ends of a series that are not written', () => {
  it('are needed where neither the request nor a dataset has any', () => {
    const needed = [expect.stringContaining('make-series needs from and to here')];
    expect(errorsOf(`${table} | make-series count() on t step 1h`)).toEqual(needed);
    expect(errorsOf(`${table} | make-series count() on t from datetime(2024-01-01) step 1h`)).toEqual(needed);
    expect(errorsOf(`print x = toscalar(${table} | make-series n = count() on t step 1h | project n)`)).toEqual(needed);
  });

  it('equals the limits of the request', () => {
    const given = { start: 0n, end: 3_600_000_000_000n, given: { start: true, end: true } };
    expect(errorsOf(`${table} | make-series count() on t step 1h`, { range: given })).toEqual([]);
  });

  it('are left to the events where a dataset is read', () =>
    expect(compileOrThrow('logs | make-series count() on _time step 1h', { catalog, range: open }).datasets).toEqual([
      'logs',
    ]));

  it('are not needed from elsewhere where they are written', () => {
    const written = 'from datetime(2024-01-01) to datetime(2024-01-02)';
    expect(errorsOf(`${table} | make-series count() on t ${written} step 1h`)).toEqual([]);
  });
});
