import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aggregateNames } from '../aggregates/index.js';
import { functions } from '../functions/index.js';

/** What the generator leaves out, and why. Anything else has to be in it. */
const leftOut: Readonly<Record<string, string>> = {
  rand: 'random',
  new_guid: 'random',
  bin_auto: 'the bins depend on the range and on settings',
  geo_info_from_ip_address: 'reads a file',
  genai_get_pricing: 'reads a file',
  genai_cost: 'reads a file',
  genai_input_cost: 'reads a file',
  genai_output_cost: 'reads a file',
  hash: 'the hash is not promised',
  __hash_xxh64: 'the hash has no implementation to compare with',
  parse_sql: 'the parts of a statement would need a second parser',
  format_sql: 'the parts of a statement would need a second parser',
  parse_command_line: 'not documented',
  iscc: 'the ranges of numbers that belong to cards are not documented',
  histogram: 'estimated',
  histogramif: 'estimated',
  phrases: 'estimated',
  spotlight: 'the scores are not documented',
};

const folder = join(import.meta.dirname, '../testing/generator');
const generator = readdirSync(folder)
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');
const isGenerated = (name: string): boolean => new RegExp(`\\b${name}\\(|'${name}'`).test(generator);

test('random queries call every function and aggregate, but for those that have a reason', () => {
  const all = [...functions.map(({ name }) => name), ...aggregateNames()];
  expect(all.filter((name) => !isGenerated(name)).toSorted()).toEqual(Object.keys(leftOut).toSorted());
});
