import { describe, expect, test } from 'vitest';
import { operators, sources, statements } from '../syntax/lexing/keywords.js';
import type { Keyword } from '../syntax/lexing/keywords.js';
import { templateOf } from './template.js';

/**
 * The parts of an operator: `word:possible input(possible input in brackets)`, with `#` for choices
 * and `*` for lists.
 */
const partsOf = (keyword: Keyword): string =>
  templateOf(keyword)
    .slots.map(({ word, expects, inside, choices, list }) => {
      const bracketed = inside.length > 0 ? `(${inside.join('/')})` : '';
      return `${word}:${expects.join('/')}${bracketed}${choices.length > 0 ? '#' : ''}${list ? '*' : ''}`;
    })
    .join(' ');

const keyword = (syntax: string): Keyword => ({ name: syntax.split(' ')[0]!, syntax, doc: '' });

describe('what may stand where follows from how an operator is written', () => {
  test.each([
    ['where Predicate', ':field/function/value'],
    ['count', ':'],
    ['top N by Expr', ':function/value by:field/function/value'],
    ['summarize Agg, … [by Expr, …]', ':aggregate/function/value* by:field/function/value*'],
    ['join [kind=Kind] (Table) on Condition, …', ':(dataset) on:field/function/value*'],
    ['search [in (Dataset, …)] Predicate', ':field/function/value in:field/function/value(dataset)*'],
    ['mv-expand Column [to typeof(T)], … [limit N]', ':field/function/value* to: typeof:# limit:function/value'],
  ])('%s', (syntax, expected) => expect(partsOf(keyword(syntax))).toBe(expected));

  test('words that may only follow another word', () =>
    expect([...templateOf(keyword('sort by Expr [asc|desc] [nulls first|last]')).words]).toEqual([
      ['by', undefined],
      ['asc', undefined],
      ['desc', undefined],
      ['nulls', undefined],
      ['first', 'nulls'],
      ['last', 'nulls'],
    ]));

  test('options with their values, and the word they follow', () =>
    expect([...templateOf(keyword('x [kind=a|b] [token=…] [with (limit=N)]')).options]).toEqual([
      ['kind', { values: ['a', 'b'], word: '' }],
      ['token', { values: [], word: '' }],
      ['limit', { values: [], word: 'with' }],
    ]));

  test('an unknown placeholder is refused', () =>
    expect(() => templateOf(keyword('where Nonsense'))).toThrow('Nonsense'));
});

test.each([...operators, ...sources, ...statements])('$syntax can be read', (each) =>
  expect(templateOf(each).slots.length).toBeGreaterThan(0),
);
