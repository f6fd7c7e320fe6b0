import { parseExpression, parse } from '@millrace/apl';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { datasetText, fieldText, sourceIn, stringText } from './apl-text.js';

/** Lone surrogates cannot be sent. */
const texts = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0'));

it('strings round-trip', () =>
  fc.assert(
    fc.property(texts, (text) => {
      const { expr, diagnostics } = parseExpression(stringText(text));
      expect(diagnostics).toEqual([]);
      expect(expr).toMatchObject({ kind: 'literal', value: text });
    }),
  ));

it.each(['logs', 'http.status', 'by', 'a-b', "it's", 'where', 'count', '1st', 'ä'])('%s reads as a name', (name) => {
  const { diagnostics } = parse(
    `${datasetText(name)} | where isnotnull(${fieldText(name)}) | project ${fieldText(name)}`,
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

it.each([
  ["['http-logs'] | count", 'http-logs'],
  ['  [ "a b" ]\n| count', 'a b'],
  ['// why\nlogs\n| count', 'logs'],
  ['let x = 1;\nlogs | where a > x', 'logs'],
  ['http-logs | count', 'http-logs'],
  ['`a`:`b` | align to 5s using avg', undefined],
  ['', undefined],
])('%j reads %s', (query, dataset) => expect(sourceIn(query)).toBe(dataset));
