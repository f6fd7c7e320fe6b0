import { describe, expect, test } from 'vitest';
import { DICTIONARY_STRING } from '../fields.js';
import { encode, rowsOf } from '../testing/encode.js';
import { DictionaryHints } from './dictionary-heuristics.js';

const rows = 3000;
const bodyOf = (text: (row: number) => string) =>
  Array.from({ length: rows }, (_, row) => JSON.stringify({ text: text(row) })).join('\n');
const repeatingBody = bodyOf((row) => `one of a few: ${row % 7}`);
const unique = bodyOf((row) => `nothing like ${row}`);
/** None of the first values occurs again. */
const late = bodyOf((row) => (row < 200 ? `at first ${row}` : `later ${row % 5}`));

/** The type of the column after each body; the values must not depend on previous bodies. */
function typesOf(bodies: readonly string[], habits = new DictionaryHints()): readonly string[] {
  return bodies.map((body) => {
    const result = encode(body, { habits });
    expect(rowsOf(result)).toEqual(rowsOf(encode(body)));
    return result.block.columns.find(({ name }) => name === 'text#s')!.type === DICTIONARY_STRING ? 'repeats' : 'plain';
  });
}

describe('the texts of a field', () => {
  test('that repeat are known to', () => {
    expect(typesOf([repeatingBody, repeatingBody, late, late])).toEqual(['repeats', 'repeats', 'repeats', 'repeats']);
  });
  test('that do not are not looked at again for a while', () => {
    expect(typesOf([unique, unique, repeatingBody])).toEqual(['plain', 'plain', 'plain']);
  });
  test('are given up as soon as they do not repeat any more', () => {
    expect(typesOf([repeatingBody, unique, repeatingBody])).toEqual(['repeats', 'plain', 'plain']);
  });
  test('are looked at again after 64 bodies', () => {
    const habits = new DictionaryHints();
    const small = Array.from({ length: 62 }, () => '{"text":"x"}');
    expect(typesOf([unique, ...small, repeatingBody, repeatingBody], habits).slice(-2)).toEqual(['plain', 'repeats']);
  });
  test('in a batch too small for a dictionary say nothing about larger ones', () => {
    const few = repeatingBody.split('\n').slice(0, 500).join('\n');
    expect(typesOf([few, repeatingBody])).toEqual(['plain', 'repeats']);
  });
});

test('fields without end are not remembered without end', () => {
  const habits = new DictionaryHints().begin();
  for (let field = 0; field < 10_000; field++) habits.of(`field ${field}`).repeats = true;
  const remembered = Array.from({ length: 10_000 }, (_, field) => habits.of(`field ${field}`).repeats);
  expect(remembered[0]).toBe(true);
  expect(remembered[9999]).toBe(false);
});
