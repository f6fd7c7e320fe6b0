import { resolveColumn, warnOfAlias } from '../bind/names/names.js';
import { sourceText } from '../bind/names/spelled-name.js';
import type { Plan } from '../plan/nodes.js';
import type { Field } from '../plan/schema.js';
import { fieldNamed, withoutRest } from '../plan/schema.js';
import type { NamePattern, Span } from '../syntax/ast.js';
import { project } from './columns.js';
import type { BindOperator, OperatorContext } from './define.js';
import { warnOfKeysLeft } from './tables/keys-left.js';
import { isMemberOf, isObject } from '../bind/names/objects.js';
import { meansAny, meansField, withObjects } from './objects.js';
import { repeatedNames } from './different-names.js';
import { matchesPattern } from './patterns.js';

/** Operators that only choose, order and rename columns, without computing. */

/** `project-away a, b*`: keeps all other columns. */
export const bindProjectAway: BindOperator<'project-away'> = ({ columns, span }, input, context) => {
  if (!context.query.expressions.names(columns.length, span)) return input;
  reportUnmatched(columns, input, context);
  const kept = chooseColumns(input, (field) => !columns.some((pattern) => meansField(pattern, field, input.schema)));
  return columns.some(isStar) ? { ...kept, schema: withoutRest(kept.schema) } : kept;
};

/**
 * `project-keep a, b*`: keeps these columns, in their existing order. An object that is named is
 * kept as one column.
 */
export const bindProjectKeep: BindOperator<'project-keep'> = ({ columns, span }, input, context) => {
  if (!context.query.expressions.names(columns.length, span)) return input;
  reportUnmatched(columns, input, context);
  for (const column of columns.filter(({ wildcard }) => !wildcard))
    if (fieldNamed(input.schema, column.text) !== undefined)
      warnOfKeysLeft(column, 'project takes both', input, context);
  const objects = columns.filter(({ text, wildcard }) => !wildcard && isObject(text, input.schema));
  const { fields, computed } = withObjects(
    new Map(objects.map(({ text }) => [text, text])),
    context.scalarScope(input.schema),
    (field) => columns.some((pattern) => matchesPattern(pattern, field.name)),
  );
  const kept = project(input, fields, computed);
  // A lone star means rare fields as well, which are in no column.
  return columns.some(isStar) ? kept : { ...kept, schema: withoutRest(kept.schema) };
};

/** `project-rename new = old`: the column keeps its place. An object becomes one column. */
export const bindProjectRename: BindOperator<'project-rename'> = ({ renames, span }, input, context) => {
  if (!context.query.expressions.names(renames.length, span)) return input;
  const { report } = context.query;
  const names = new Map<string, string>();
  const objects = new Map<string, string>();
  const again = repeatedNames(renames.map(({ from }) => from));
  for (const { text, span } of again)
    report.error('name', span, `${text} is renamed twice; extend makes a second column of it`);
  for (const { to, from } of renames) {
    const field = fieldNamed(input.schema, from.text);
    if (isObject(from.text, input.schema)) objects.set(from.text, to.text);
    else if (field === undefined) reportMissing(from.text, from.span, input, context);
    else {
      warnOfAlias(from, input.schema, context.query);
      warnOfKeysLeft(from, 'extend makes a column of both', input, context);
    }
    names.set(field?.name ?? from.text, to.text);
  }
  const whole = withObjects(
    objects,
    context.scalarScope(input.schema),
    (field) => ![...objects.keys()].some((name) => isMemberOf(name, field)),
  );
  const fields = whole.fields.map((field): Field => {
    const name = names.get(field.name);
    const { events: _, ...others } = field;
    return name === undefined ? field : { ...others, name };
  });
  const twice = again.length > 0 ? [] : repeatedNames(renames.map(({ to }) => to));
  for (const { text, span } of twice) report.error('name', span, `two columns are renamed to ${text}`);
  for (const { to } of renames)
    if (!twice.some(({ text }) => text === to.text) && fields.filter((field) => field.name === to.text).length > 1)
      report.error('name', to.span, `there is already a column ${to.text}; remove it first with project-away`);
  return project(input, fields, whole.computed);
};

/**
 * `project-reorder a, b*, *, c [asc|desc|granny-asc|granny-desc]`: the listed columns in this
 * order; the rest at `*`, or else at the end.
 */
export const bindProjectReorder: BindOperator<'project-reorder'> = ({ items, span }, input, context) => {
  if (!context.query.expressions.names(items.length, span)) return input;
  const { fields } = input.schema;
  const specific = items.filter(({ pattern }) => !isStar(pattern));
  reportUnmatched(
    specific.map((item) => item.pattern),
    input,
    context,
  );
  const taken = new Set<Field>();
  const groups = items.map(({ pattern, order }): readonly Field[] => {
    if (isStar(pattern)) {
      const rest = fields.filter((field) => !specific.some((item) => meansField(item.pattern, field, input.schema)));
      return orderFields(rest, order);
    }
    const matched = fields.filter((field) => !taken.has(field) && meansField(pattern, field, input.schema));
    for (const field of matched) taken.add(field);
    return orderFields(matched, order);
  });
  const listed = groups.flat();
  return project(input, [...listed, ...fields.filter((field) => !listed.includes(field))], []);
};

const isStar = ({ text, wildcard }: NamePattern): boolean => text === '*' && wildcard;

const chooseColumns = (input: Plan, keep: (field: Field) => boolean): Plan =>
  project(input, input.schema.fields.filter(keep), []);

/** `granny` sorts numbers in names as numbers: b9 before b50. */
function orderFields(
  fields: readonly Field[],
  order: 'asc' | 'desc' | 'granny-asc' | 'granny-desc' | undefined,
): readonly Field[] {
  if (order === undefined) return fields;
  const compare = order.startsWith('granny') ? compareNatural : comparePlain;
  const sign = order.endsWith('desc') ? -1 : 1;
  return fields.toSorted((a, b) => sign * compare(a.name, b.name));
}

const comparePlain = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function compareNatural(a: string, b: string): number {
  const partsOf = (name: string): readonly string[] => name.match(/\d+|\D+/g) ?? [];
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [i, part] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const width = /^\d/.test(part) && /^\d/.test(other) ? Math.max(part.length, other.length) : 0;
    const order = comparePlain(part.padStart(width, '0'), other.padStart(width, '0'));
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function reportUnmatched(patterns: readonly NamePattern[], input: Plan, context: OperatorContext): void {
  for (const pattern of patterns)
    if (!meansAny(pattern, input.schema)) reportMissing(pattern.text, pattern.span, input, context);
}

function reportMissing(name: string, span: Span, input: Plan, context: OperatorContext): void {
  const { report } = context.query;
  if (report.failed || report.isFull) return;
  const near = resolveColumn(
    name,
    input.schema.fields.map((field) => field.name),
  );
  const written = near === undefined ? undefined : sourceText(near);
  report.warning(
    'missing_column',
    span,
    `no column ${name}${written === undefined ? '' : `; did you mean ${written}?`}`,
    written === undefined ? undefined : { title: `Change to ${written}`, replacement: written },
  );
}
