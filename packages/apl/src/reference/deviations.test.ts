import { afterAll, beforeAll, expect, it } from 'vitest';
import { noDatasets } from '../testing/compile-text.js';
import { testEngine } from '../testing/engine.js';
import { goldenFiles, outcomeOf, rewriteGolden, writesGolden } from '../testing/golden.js';
import type { GoldenCase } from '../testing/golden.js';
import { createSample } from '../testing/sample.js';
import type { Catalog } from '../model/catalog.js';
import { rejectedFeatures } from './kusto.js';
import { languageDifferences } from './language.js';

/** Every statement about the language in deviations.md has a case of its name. */

const engine = testEngine();
let catalog: Catalog = noDatasets;
beforeAll(() => {
  catalog = createSample(engine);
});

const [file] = goldenFiles(import.meta.dirname);
const outcomes = new Map<GoldenCase, string>();

it('every point has a case, and every case is of a point', () => {
  const points = languageDifferences.map(({ point }) => point);
  expect([...new Set(file!.cases.map(({ name }) => name))].toSorted()).toEqual(points.toSorted());
});

it.each(file!.cases)('$title', (golden) => {
  const outcome = outcomeOf(engine, golden.query, { catalog });
  outcomes.set(golden, outcome);
  expect(outcome).toBe(writesGolden ? outcome : golden.wanted);
});

it.each(rejectedFeatures.flatMap(([, , queries]) => queries))('%s is rejected, as kusto.md says', (query) =>
  expect(outcomeOf(engine, query, { catalog })).toMatch(/^error /m),
);

afterAll(() => {
  if (writesGolden) rewriteGolden(file!, outcomes);
});
