import { array, assert, nat, property } from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../testing/agreement.js';
import { differentialTables } from '../testing/differential-tables.js';
import type { Sample } from '../testing/differential-tables.js';
import { testEngine } from '../testing/engine.js';
import { jsonText } from '../testing/evaluator/values.js';
import type { Value } from '../testing/evaluator/values.js';
import { pipelineOf } from '../testing/generator/pipelines.js';
import { caseCount } from '../../../../tests/support/depth.js';

/**
 * Operators whose choice of rows is not determined, after random pipelines: checks properties that
 * hold for every choice.
 */
const runs = Math.ceil(Number(process.env['DIFFERENTIAL_RUNS'] ?? caseCount(80, 2000)) / 20);
const seed = Number(process.env['DIFFERENTIAL_SEED'] ?? 1);

const engine = testEngine();
let sample: Sample;
beforeAll(() => {
  sample = differentialTables(engine);
});

const decisions = array(nat(), { minLength: 400, maxLength: 400, size: 'max' });
const answer = (text: string): readonly (readonly Value[])[] => rowsOf(engine, text, { catalog: sample.catalog });

/** How often each text occurs. */
function countTexts(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

test('sample returns some of the rows, each at most as often as it occurs', { timeout: 600_000 }, () => {
  const holds = property(decisions, (numbers) => {
    const { text } = pipelineOf(numbers, sample.shapes);
    const all = countTexts(answer(text).map(jsonText));
    const some = countTexts(answer(`${text}\n| sample 0.5`).map(jsonText));
    expect([...some].filter(([row, count]) => count > (all.get(row) ?? 0))).toEqual([]);
  });
  assert(holds, { seed, numRuns: runs, unbiased: true });
});

test('reduce counts every row once, under a pattern that one of them has', { timeout: 600_000 }, () => {
  const holds = property(decisions, nat(), (numbers, at) => {
    const { text, shape } = pipelineOf(numbers, sample.shapes);
    const { name } = shape.fields[at % shape.fields.length]!;
    const texts = answer(`${text}\n| project of = tostring(${name})`).map(([of]) => of);
    const found = answer(`${text}\n| reduce by tostring(${name})`);
    const patterns = found.map(([pattern]) => String(pattern));
    const counts = found.map(([, count]) => Number(count));
    expect(new Set(patterns).size).toBe(patterns.length);
    expect(counts.reduce((a, b) => a + b, 0)).toBe(texts.length);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(found.filter(([, , one]) => !texts.includes(one!))).toEqual([]);
    expect(found.filter(([pattern, , one]) => !String(pattern).includes('*') && pattern !== one)).toEqual([]);
  });
  assert(holds, { seed, numRuns: runs, unbiased: true });
});
