import type { Expr, JoinCondition, JoinKind } from '../../syntax/ast.js';
import { operation } from './binary.js';
import { convert } from './conversions.js';
import { scalarOf } from './scalar.js';
import type { Scalar } from './scalar.js';
import type { Column, Row, Table } from './values.js';

/** Rows of both sides whose keys are equal; a lookup leaves out the keys of the right side. */
export function joinTables(
  kind: JoinKind,
  left: Table,
  right: Table,
  on: readonly JoinCondition[],
  lookup: boolean,
): Table {
  const pairs = on.map(sidesOf);
  const matches = (l: Row, r: Row): boolean =>
    pairs.every((pair) => {
      const [a, b] = comparable(cell(left, l, pair.left), cell(right, r, pair.right));
      return operation('==', a, b).at([[]], 0) === true;
    });
  const ofLeft = left.rows.map((l) => ({ l, found: right.rows.filter((r) => matches(l, r)) }));
  const lonely = right.rows.filter((r) => left.rows.every((l) => !matches(l, r)));
  const nulls = (table: Table): Row => table.columns.map(() => null);
  switch (kind) {
    case 'leftsemi':
      return { columns: left.columns, rows: ofLeft.flatMap(({ l, found }) => (found.length > 0 ? [l] : [])) };
    case 'leftanti':
      return { columns: left.columns, rows: ofLeft.flatMap(({ l, found }) => (found.length > 0 ? [] : [l])) };
    case 'rightsemi':
      return { columns: right.columns, rows: right.rows.filter((r) => !lonely.includes(r)) };
    case 'rightanti':
      return { columns: right.columns, rows: lonely };
    default:
  }
  const inner = ofLeft.flatMap(({ l, found }) =>
    (kind === 'innerunique' ? found.slice(0, 1) : found).map((r) => [l, r] as const),
  );
  const keepsLeft = kind === 'leftouter' || kind === 'fullouter';
  const keepsRight = kind === 'rightouter' || kind === 'fullouter';
  const all = [
    ...inner,
    ...(keepsLeft ? ofLeft.filter(({ found }) => found.length === 0).map(({ l }) => [l, nulls(right)] as const) : []),
    ...(keepsRight ? lonely.map((r) => [nulls(left), r] as const) : []),
  ];
  const kept = right.columns.map(
    ({ name }) => !lookup || pairs.every((pair) => pair.right.kind !== 'name' || pair.right.name.text !== name),
  );
  return {
    columns: [
      ...left.columns,
      ...renameDuplicates(
        left.columns,
        right.columns.filter((_, i) => kept[i]),
      ),
    ],
    rows: all.map(([l, r]) => [...l, ...r.filter((_, i) => kept[i])]),
  };
}

/** A field of several types is compared with a dynamic value as JSON, so that 3 and "3" differ. */
function comparable(a: Scalar, b: Scalar): readonly [Scalar, Scalar] {
  const types = [a.type, b.type];
  if (!types.includes('mixed') || !types.includes('dynamic')) return [a, b];
  return [convert(a, 'dynamic'), convert(b, 'dynamic')];
}

/** Appends a number to names of the right side that the left side also has. */
function renameDuplicates(left: readonly Column[], right: readonly Column[]): readonly Column[] {
  const taken = new Set(left.map(({ name }) => name));
  return right.map(({ name: original, type }) => {
    let name = original;
    for (let i = 1; taken.has(name); i++) name = `${original}${i}`;
    taken.add(name);
    return { name, type };
  });
}

function cell(table: Table, row: Row, key: Expr): Scalar {
  const scalar = scalarOf(key, table.columns);
  return { type: scalar.type, at: () => scalar.at([row], 0) };
}

/**
 * The two sides of a condition as expressions over one table each, in either order of the
 * condition.
 */
function sidesOf({ left, right = left }: JoinCondition): { readonly left: Expr; readonly right: Expr } {
  const swapped = mentions(left, '$right') || mentions(right, '$left');
  const [a, b] = swapped ? [right, left] : [left, right];
  return { left: removePrefixes(a) as Expr, right: removePrefixes(b) as Expr };
}

const mentions = (node: unknown, side: string): boolean =>
  typeof node === 'object' &&
  node !== null &&
  (isName(node, side) || Object.values(node).some((child) => mentions(child, side)));

const isName = (node: object, text: string): boolean => {
  const expr = node as Expr;
  return expr.kind === 'name' && expr.name.text === text;
};

/** `$left.a` as `a`. */
function removePrefixes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(removePrefixes);
  if (typeof node !== 'object' || node === null) return node;
  const expr = node as Expr;
  if (expr.kind === 'member' && (isName(expr.object, '$left') || isName(expr.object, '$right')))
    return { kind: 'name', name: expr.member, span: expr.span };
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, removePrefixes(child)]));
}
