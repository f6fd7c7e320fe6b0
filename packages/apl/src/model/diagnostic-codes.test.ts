import { beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from './catalog.js';
import { compile } from '../compile.js';
import { diagnosticCodes } from './diagnostic-codes.js';
import type { Diagnostic } from './diagnostics.js';
import { oneForm } from '../testing/check-syntax.js';
import { noDatasets, testNow, testOptions } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { createSample } from '../testing/sample.js';

const engine = testEngine();
let catalog: Catalog = noDatasets;
beforeAll(() => {
  catalog = createSample(engine);
});

/** The findings of a query, with 101 values as the result of its lookups. */
function findings(text: string): readonly Diagnostic[] {
  const facts = [Array.from({ length: 101 }, (_, n) => [String(n)])];
  const range = { start: testNow - 3_600_000_000_000n, end: testNow, given: { start: true, end: false } };
  const result = compile(text, { ...testOptions, catalog, range, facts });
  return result.kind === 'asks' ? [] : result.diagnostics;
}

describe('every code is raised by its example, with a place and a reason', () => {
  it.each(Object.entries(diagnosticCodes))('%s', (code, { example }) => {
    const raised = findings(example).filter((found) => found.code === code);
    expect(raised).not.toEqual([]);
    for (const { message, span } of raised) {
      expect(message).not.toBe('');
      expect(message).toMatch(oneForm);
      expect(span.start <= span.end && span.end <= example.length).toBe(true);
    }
  });
});
