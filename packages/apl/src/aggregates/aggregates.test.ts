import { printQuery } from '@millrace/sql';
import { writeJson } from '@millrace/http/body/json-body';
import { describe, expect, it } from 'vitest';
import { compileOrThrow } from '../testing/compile-text.js';
import { parseJson, testEngine } from '../testing/engine.js';
import { matches } from '../testing/run-examples.js';
import { aggregateNamed, aggregates } from './index.js';

const engine = testEngine();

describe('examples', () => {
  it.each(aggregates.map((record) => [record.name, record] as const))('%s', (_, { examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { apl, gives, tolerance } of examples) {
      const { query, output } = compileOrThrow(apl);
      const [row = []] = engine.rows(query);
      const got = row.map((cell, i) => (output[i]?.json === true && typeof cell === 'string' ? parseJson(cell) : cell));
      expect(
        got.length === gives.length && gives.every((want, i) => matches(got[i], want, tolerance ?? 1e-12)),
        `${apl} gives ${writeJson(got)}`,
      ).toBe(true);
    }
  });
});

describe('twins', () => {
  it.each(aggregates.flatMap((record) => (record.twin === undefined ? [] : [[record.twin.name, record] as const])))(
    '%s has an example',
    (name, record) => {
      expect(aggregateNamed(name)?.record).toBe(record);
      expect(record.examples.some((example) => example.apl.includes(`${name}(`))).toBe(true);
    },
  );
});

describe('spotlight', () => {
  it('writes expressions over the aggregates of a field once for all fields, or planning hundreds takes seconds', () => {
    const statement = (fields: number): string => {
      const names = Array.from({ length: fields }, (_, i) => `n${i} = x, t${i} = tostring(x)`).join(', ');
      return printQuery(
        compileOrThrow(`range x from 1 to 9 step 1 | extend ${names} | summarize spotlight(x > 5, *)`).query,
      );
    };
    expect((statement(40).length - statement(20).length) / 40).toBeLessThan(800);
    const times = (text: string): number => statement(40).split(text).length - 1;
    expect([times('welchTTest('), times('erfc(')]).toEqual([41, 1]);
  });
});
