import { array, assert, nat, property } from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { disagreement } from '../testing/agreement.js';
import { differentialTables } from '../testing/differential-tables.js';
import type { Sample } from '../testing/differential-tables.js';
import { testEngine } from '../testing/engine.js';
import { pipelineOf } from '../testing/generator/pipelines.js';
import { caseCount } from '../../../../tests/support/depth.js';

/**
 * Random small pipelines, run in APL on the real engine and by a plain evaluator over arrays. To
 * run more, or others: `DIFFERENTIAL_RUNS=20000 DIFFERENTIAL_SEED=7 npx vitest run
 * packages/apl/src/differential`.
 */
const runs = Number(process.env['DIFFERENTIAL_RUNS'] ?? caseCount(30, 2000));
const seed = Number(process.env['DIFFERENTIAL_SEED'] ?? 1);
/** How many pipelines share a test; each test names its first disagreement. */
const PART = 100;

const engine = testEngine();
let sample: Sample;
beforeAll(() => {
  sample = differentialTables(engine);
});

const decisions = array(nat(), { minLength: 400, maxLength: 400, size: 'max' });

test.each(Array.from({ length: Math.ceil(runs / PART) }, (_, i) => seed * 1000 + i))(
  'pipelines of seed %i',
  { timeout: 600_000 },
  (part) => {
    const agrees = property(decisions, (numbers) => {
      const { text, shape } = pipelineOf(numbers, sample.shapes);
      expect(disagreement(engine, text, sample.tables, shape.ordered, { catalog: sample.catalog })).toBeUndefined();
    });
    assert(agrees, { seed: part, numRuns: Math.min(PART, runs), unbiased: true });
  },
);
