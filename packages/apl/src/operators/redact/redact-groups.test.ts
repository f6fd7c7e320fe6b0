import { array, assert, boolean, constantFrom, letrec, oneof, property, record, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { testEngine } from '../../testing/engine.js';
import { outcomeOf } from '../../testing/golden.js';

const engine = testEngine();

const runs = Number(process.env['REDACT_RUNS'] ?? 80);
/** A run is a query, which takes some milliseconds; on a busy machine it takes many times that. */
const timeout = 60_000 + runs * 1000;

/** A random regular expression: atoms and groups, with repeats. */
type Item =
  | { readonly kind: 'atom'; readonly atom: string; readonly repeat: string }
  | { readonly kind: 'group'; readonly captures: boolean; readonly branches: Branches; readonly repeat: string };
type Branches = readonly (readonly Item[])[];

const { branches } = letrec<{ branches: Branches; item: Item; atom: Item; group: Item }>((tie) => ({
  branches: array(array(tie('item'), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 2,
    depthIdentifier: 'x',
  }),
  item: oneof({ depthSize: 'small', depthIdentifier: 'x' }, tie('atom'), tie('group')),
  atom: tuple(constantFrom('a', 'b', 'é', '.', '[(ab]', '^', '$'), constantFrom('', '', '', '?', '+', '*?')).map(
    ([atom, repeat]) => ({ kind: 'atom', atom, repeat: /[$^]/.test(atom) ? '' : repeat }),
  ),
  group: record({
    kind: constantFrom('group'),
    captures: boolean(),
    branches: tie('branches'),
    repeat: constantFrom('', '', '', '?', '??', '+', '*', '{1}', '{2}', '{1,2}?'),
  }).map((group) => (mayBeEmpty(group.branches) ? { ...group, repeat: '' } : group)),
}));

/**
 * Parts that may match nothing are not repeated, because the two engines treat them differently.
 */
const mayBeEmpty = (all: Branches): boolean => all.some((items) => items.every((item) => itemMayBeEmpty(item)));
const itemMayBeEmpty = (item: Item): boolean =>
  /^[?*]/.test(item.repeat) || (item.kind === 'atom' ? /[$^]/.test(item.atom) : mayBeEmpty(item.branches));

const writeBranches = (all: Branches): string =>
  all
    .map((items) =>
      items
        .map(
          (item) =>
            (item.kind === 'atom' ? item.atom : `(${item.captures ? '' : '?:'}${writeBranches(item.branches)})`) +
            item.repeat,
        )
        .join(''),
    )
    .join('|');

const hasGroup = (all: Branches): boolean =>
  all.flat().some((item) => item.kind === 'group' && (item.captures || hasGroup(item.branches)));

/**
 * The expression for JavaScript, with groups around the parts to be hidden; groups inside those
 * hold parts of them.
 */
const toHide = (all: Branches): string =>
  all
    .map((items) =>
      items
        .map((item) => {
          if (item.kind === 'atom') return item.atom + item.repeat;
          const repeats = /[+*2]/.test(item.repeat) && hasGroup(item.branches);
          if (item.captures || repeats) return `((?:${writeBranches(item.branches)})${item.repeat})`;
          return `(?:${toHide(item.branches)})${item.repeat}`;
        })
        .join(''),
    )
    .join('|');

/**
 * The text with stars for all matches of the expressions' groups, according to the indices from
 * JavaScript.
 */
function hiddenByIndices(text: string, expressions: readonly Branches[]): string {
  const chars = text.split('');
  for (const all of expressions) {
    for (const { indices } of text.matchAll(
      new RegExp(hasGroup(all) ? toHide(all) : `(${writeBranches(all)})`, 'dg'),
    )) {
      for (const range of indices?.slice(1) ?? []) if (range !== undefined) chars.fill('*', ...range);
    }
  }
  return chars.join('');
}

it(
  'hides exactly what groups match, according to JavaScript',
  () => {
    const texts = array(
      array(constantFrom('a', 'b', 'é', '('), { maxLength: 12 }).map((chars) => chars.join('')),
      {
        minLength: 4,
        maxLength: 4,
      },
    );
    let hidden = 0;
    assert(
      property(array(branches, { minLength: 1, maxLength: 3 }), texts, (expressions, all) => {
        const patterns = expressions.map((one) => JSON.stringify(writeBranches(one)));
        const rows = all.map((text, i) => `${i}, "${text}"`).join(', ');
        const query = `datatable(i:long, s:string)[${rows}] | redact redactGroups=true ${patterns.join(', ')} | sort by i asc`;
        const wanted = all.map((text) => hiddenByIndices(text, expressions));
        hidden += wanted.filter((text, i) => text !== all[i] && /[^*]/.test(text)).length;
        const lines = outcomeOf(engine, query, {}).split('\n');
        // Whole matches are hidden only when groups are nested too deep.
        if (lines.some((line) => line.includes('so whole matches are hidden'))) return;
        const found = lines.filter((line) => /^\d \|/.test(line));
        expect(found).toEqual(wanted.map((text, i) => `${i} | ${text === '' ? '""' : text}`));
      }),
      { numRuns: runs },
    );
    // Enough of the expressions matched.
    expect(hidden / runs).toBeGreaterThan(0.25);
  },
  timeout,
);
