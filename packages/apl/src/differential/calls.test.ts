import { array, assert, nat, property } from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { disagreement } from '../testing/agreement.js';
import { differentialTables } from '../testing/differential-tables.js';
import type { Sample } from '../testing/differential-tables.js';
import { testEngine } from '../testing/engine.js';
import { calls } from '../testing/generator/calls.js';
import { types } from '../testing/generator/cells.js';
import { Choices } from '../testing/generator/choices.js';
import { Expressions } from '../testing/generator/expressions.js';
import { fillTemplate } from '../testing/generator/templates.js';
import { caseCount } from '../../../../tests/support/depth.js';

/**
 * Every call that pipelines are made of, with random arguments over a table: random pipelines reach
 * each of them too rarely.
 */
const runs = Math.ceil(Number(process.env['DIFFERENTIAL_RUNS'] ?? caseCount(200, 2000)) / 200);
const seed = Number(process.env['DIFFERENTIAL_SEED'] ?? 1);
/** How many calls share a query. */
const BATCH = 20;

const engine = testEngine();
let sample: Sample;
beforeAll(() => {
  sample = differentialTables(engine);
});

const decisions = array(nat(), { minLength: 2000, maxLength: 2000, size: 'max' });

test.each(types)('calls that give %s', { timeout: 600_000 }, (type) => {
  const differs = (batch: readonly string[]): string | undefined => {
    const text = `t | project id, ${batch.map((call, i) => `x${i} = ${call}`).join(', ')}`;
    return disagreement(engine, text, sample.tables, true, { catalog: sample.catalog });
  };
  const agree = property(decisions, (numbers) => {
    const maker = new Expressions(new Choices(numbers), sample.shapes['t']!);
    const written = calls[type].map((call) => fillTemplate(call, maker, maker.choices.below(2)));
    for (let from = 0; from < written.length; from += BATCH) {
      const batch = written.slice(from, from + BATCH);
      const wrong = differs(batch) === undefined ? [] : batch.flatMap((call) => differs([call]) ?? []);
      expect(wrong).toEqual([]);
    }
  });
  assert(agree, { seed, numRuns: runs, unbiased: true, endOnFailure: true });
});
