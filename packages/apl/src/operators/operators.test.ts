import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from '../model/catalog.js';
import { noDatasets } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { goldenFiles, outcomeOf, rewriteGolden, writesGolden } from '../testing/golden.js';
import type { GoldenCase } from '../testing/golden.js';
import { createSample } from '../testing/sample.js';

const engine = testEngine();
let catalog: Catalog = noDatasets;
beforeAll(() => {
  catalog = createSample(engine);
});

describe.each(goldenFiles(join(import.meta.dirname, 'cases')))('$name', (file) => {
  const outcomes = new Map<GoldenCase, string>();

  it.each(file.cases)('$title', (golden) => {
    const outcome = outcomeOf(engine, golden.query, { catalog });
    outcomes.set(golden, outcome);
    expect(outcome).toBe(writesGolden ? outcome : golden.wanted);
  });

  afterAll(() => {
    if (writesGolden) rewriteGolden(file, outcomes);
  });
});
