import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Span, spanTime, traceOfSpans, traceRows } from './span-tree.js';

const span = (id: string, parent: string, start: number, duration: number, more: Partial<Span> = {}): Span => ({
  id,
  parent,
  name: id,
  kind: 'internal',
  service: 'shop',
  start,
  duration,
  error: false,
  ...more,
});
const none: ReadonlySet<string> = new Set();
const shownRows = (spans: readonly Span[], toggled = none): readonly string[] =>
  traceRows(traceOfSpans(spans), toggled).map((row) =>
    row.kind === 'span'
      ? `${' '.repeat(row.depth)}${row.node.span.id}`
      : `${' '.repeat(row.depth)}× ${row.nodes.length}`,
  );

describe('the tree', () => {
  it('has children below their parents, in time order', () =>
    expect(shownRows([span('b', 'a', 5, 1), span('a', '', 0, 10), span('c', 'a', 2, 1), span('d', 'c', 2, 1)])).toEqual(
      ['a', ' c', '  d', ' b'],
    ));

  it('keeps spans whose parent is missing, and marks them', () => {
    const { roots } = traceOfSpans([span('a', '', 0, 9), span('b', 'gone', 1, 1)]);
    expect(roots.map(({ span: { id }, parentMissing }) => [id, parentMissing])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it('has every span once, whatever the IDs', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), parent: fc.constantFrom('', 'a', 'b', 'c', 'd') }),
        ),
        (ids) => {
          const spans = ids.map(({ id, parent }, index) => span(id, parent, index, 1));
          const { nodes } = traceOfSpans(spans);
          expect(nodes.map(({ key }) => Number(key)).toSorted((a, b) => a - b)).toEqual(spans.map((_, index) => index));
        },
      ),
    ));

  it('marks spans that start before their parent', () =>
    expect(traceOfSpans([span('a', '', 5, 9), span('b', 'a', 3, 1)]).nodes.map(({ early }) => early)).toEqual([0, 2]));

  it('may be as deep as it is long', () => {
    const deep = Array.from({ length: 20_000 }, (_, index) =>
      span(String(index), index === 0 ? '' : String(index - 1), index, 1),
    );
    expect(traceOfSpans(deep).depth).toBe(19_999);
  });
});

it('the critical path determines the end', () => {
  const { nodes } = traceOfSpans([
    span('root', '', 0, 100),
    span('early', 'root', 0, 40),
    span('aside', 'root', 10, 20),
    span('late', 'root', 45, 50),
    span('inner', 'late', 60, 30),
  ]);
  expect(nodes.filter(({ onCriticalPath }) => onCriticalPath).map(({ span: { id } }) => id)).toEqual([
    'root',
    'early',
    'late',
    'inner',
  ]);
});

describe('rows', () => {
  it('collapsed rows hide their descendants', () =>
    expect(shownRows([span('a', '', 0, 9), span('b', 'a', 1, 1)], new Set(['0']))).toEqual(['a']));

  it('hundreds of siblings of one name are one row, until expanded', () => {
    const many = Array.from({ length: 300 }, (_, index) => span(`q${index}`, 'a', index, 1, { name: 'SELECT' }));
    const spans = [span('a', '', 0, 400), span('b', 'a', 0, 1), ...many];
    expect(shownRows(spans)).toEqual(['a', ' b', ' × 300']);
    expect(shownRows(spans, new Set(['0/shop\nSELECT']))).toHaveLength(303);
  });
});

it.each([
  [950, '950 ns'],
  [1234, '1.23 µs'],
  [250_000_000, '250 ms'],
  [3_100_000_000, '3.1 s'],
  [61e9, '1 min 1 s'],
])('%d ns is %s', (nanoseconds, text) => expect(spanTime(nanoseconds)).toBe(text));
