import { describe, expect, it } from 'vitest';
import type { Field, RareFields } from '../../model/catalog.js';
import { parse } from '../../syntax/parse.js';
import { Mentions } from './mentions.js';

const names = ['a', 'b', 'a.b', 'deep.a.b', 'b.c', 'odd name', '', 'x.'];

/** Rare fields found by their names and last segments, as those of a dataset are. */
function rareFields(looked: { through: boolean }): RareFields {
  const field = (name: string): Field => ({ name, readings: [] });
  return {
    ending: (word) => names.filter((name) => name === word || name.endsWith(`.${word}`)).map(field),
    *all() {
      looked.through = true;
      yield* names.map(field);
    },
    has: (name) => names.includes(name),
    names: () => names,
    beneath: (path) => names.some((name) => name.startsWith(`${path}.`)),
  };
}

function findMentions(query: string): { readonly fields: readonly string[]; readonly looked: boolean } {
  const mentions = new Mentions();
  mentions.add(parse(query).program);
  const looked = { through: false };
  const fields = mentions.among(rareFields(looked)).map(({ name }) => name);
  return { fields: fields.toSorted(), looked: looked.through };
}

describe('the rare fields a query may mean', () => {
  it.each<[query: string, fields: readonly string[], looked: boolean]>([
    ['logs | count', [], false],
    ['logs | where a > 1', ['a'], false],
    ['logs | where a.b > 1', ['a', 'a.b', 'b'], false],
    ['logs | where a["b"] > 1', ['a', 'a.b', 'b'], false],
    // As a column, and as a key of the map field `a`.
    ["logs | where ['a.b'] > 1", ['a', 'a.b'], false],
    ["logs | where ['a\\\\.b'] > 1", ['a', 'a.b'], false],
    ["logs | where ['deep.a']['b'] > 1", ['b', 'deep.a.b'], false],
    ["logs | where ['deep.a.b'].c > 1", ['deep.a.b'], false],
    ['logs | where deep.a.b > 1', ['a', 'a.b', 'b', 'deep.a.b'], false],
    ["logs | where ['odd name'] == 'b'", ['b', 'odd name'], false],
    ['logs | project c', [], false],
    ['logs | project-keep *', [], false],
    ['logs | project-keep a*', ['a', 'a.b'], true],
    ['logs | getschema', names.toSorted(), true],
    ['logs | where a1 > 1', [], false],
    ['logs | join (logs) on x | where a1 > 1', ['a'], false],
    ["logs | lookup (logs) on x | where ['a.b12'] > 1", ['a', 'a.b'], false],
    ['logs | join (logs) on x | project-away *.b1', ['a.b', 'deep.a.b'], true],
  ])('%s', (query, fields, looked) => {
    expect(findMentions(query)).toEqual({ fields, looked });
  });
});
