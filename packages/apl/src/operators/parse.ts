import { call, integer, literal } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { Overload } from '../functions/define.js';
import { quoteRegex } from '../functions/string/pattern.js';
import { readRegex } from '../functions/re2.js';
import { textOf } from '../bind/convert-text.js';
import { bindScalar } from '../bind/context.js';
import { bothOf } from '../bind/logic.js';
import { toType } from '../bind/to-type.js';
import { nullOf } from '../lower/values.js';
import type { Computed, Plan } from '../plan/nodes.js';
import { callOf, columnOf, constant } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { Field } from '../plan/schema.js';
import type { ParseSegment } from '../syntax/ast.js';
import { project } from './columns.js';
import type { BindOperator, OperatorOf } from './define.js';
import { checkDifferent } from './different-names.js';
import { shapes } from './parse-shapes.js';
import { warnOfNoColumns } from './parse-without-columns.js';

/**
 * `parse [kind=…] E with "text" name:type * …`: new columns out of a text; they are null where it does not match, and `parse-where`
 * drops such rows. The pattern becomes one regular expression. Texts are literal, or regular expressions themselves (regex). A value that
 * is not of its type makes the whole match fail, unless the mode is relaxed: then only its own column is null.
 */
export const bindParse: BindOperator<'parse'> = (operator, input, context): Plan => {
  const { query } = context;
  const scope = context.scalarScope(input.schema);
  const source = textOf(bindScalar(operator.source, scope));
  const regex = regexOf(operator);
  const reading = readRegex(regex);
  if (!reading.ok) {
    query.report.error('argument_type', operator.span, reading.message);
    return input;
  }
  const captures = operator.pattern.filter((segment) => segment.kind === 'capture');
  warnOfNoColumns(operator, context);
  checkDifferent(
    captures.map(({ name }) => name),
    context,
    '; what is not needed is skipped by *',
  );
  // One extraction for all columns.
  const groups = query.fresh('parsed');
  const matched: Plan = {
    kind: 'project',
    input,
    schema: {
      ...input.schema,
      fields: [...input.schema.fields, { name: groups, readings: [{ type: 'array', id: groups }] }],
    },
    computed: [
      {
        id: groups,
        expr: callOf('parse', extraction, [source, constant('string', regex)]),
      },
    ],
  };
  const parts = groupNumbers(operator);
  const computed: Computed[] = [];
  const tests: Scalar[] = [];
  let fields: readonly Field[] = input.schema.fields;
  for (const [i, { name, type, span }] of captures.entries()) {
    const text = callOf('parse', group, [
      columnOf({ type: 'array', id: groups }),
      constant('long', BigInt(parts[i] ?? i + 1)),
    ]);
    const value = toType(text, type, span, query);
    const id = query.fresh(name.text);
    computed.push({ id, expr: value });
    if (operator.mode !== 'relaxed' && type !== 'string') tests.push(columnOf({ type, id }));
    const field: Field = { name: name.text, readings: [{ type, id }] };
    fields = [...fields.filter((f) => f.name !== name.text), field];
  }
  const values: Plan = {
    ...project(matched, fields, computed),
    schema: { ...input.schema, fields: [...input.schema.fields, ...matched.schema.fields.slice(-1), ...fields] },
  };
  const isMatch = callOf('matches', matches, [columnOf({ type: 'array', id: groups })]);
  const ok = tests.reduce<Scalar>((so, value) => bothOf(so, callOf('isnotnull', isPresent, [value]), query), isMatch);
  if (operator.filter)
    return project({ kind: 'filter', schema: values.schema, input: values, predicate: ok }, fields, []);
  if (tests.length === 0) return project(values, fields, []);
  // A badly typed value spoils the whole match.
  const whole: Computed[] = [];
  const spoiled = fields.map((field): Field => {
    const [reading] = field.readings;
    if (reading === undefined || !computed.some((c) => c.id === reading.id)) return field;
    const id = query.fresh(field.name);
    whole.push({ id, expr: callOf('parse', onlyIf, [ok, columnOf(reading)]) });
    return { name: field.name, readings: [{ type: reading.type, id }] };
  });
  return project(values, spoiled, whole);
};

const isPresent: Overload = {
  params: [param('value', 'any')],
  returns: 'bool',
  lower: ([value]) => call('isNotNull', value!.sql),
};

const onlyIf: Overload = {
  params: [param('condition', 'bool'), param('value', 'any')],
  returns: (types) => types[1] ?? 'string',
  lower: ([condition, value]) => call('if', condition!.sql, value!.sql, nullOf(value!.type)),
};

/**
 * The groups of a match; empty if there is none. A match without groups would look the same, so the whole expression is a group as well. This is the
 * engine's own array, not JSON text as in other columns of this type, because only `group` and `matches` read it.
 */
const extraction: Overload = {
  params: [param('text', 'string'), param('regex', 'string', { constant: true })],
  returns: 'array',
  lower: ([text, regex]) => call('extractGroups', call('ifNull', text!.sql, literal('')), regex!.sql),
};

const matches: Overload = {
  params: [param('groups', 'array')],
  returns: 'bool',
  lower: ([groups]) => call('notEmpty', groups!.sql),
};

/** The text of a group; null without a match. */
const group: Overload = {
  params: [param('groups', 'array'), param('number', 'long', { constant: true })],
  returns: 'string',
  lower: ([groups, number]) => call('arrayElementOrNull', groups!.sql, integer((number!.constant as bigint) + 1n)),
};

function regexOf({ mode, flags, pattern }: OperatorOf<'parse'>): string {
  const wanted = [...new Set(flags?.replace(/[^imsU]/g, '') ?? '')].join('');
  const lazy = wanted.includes('U');
  const body = pattern.map((segment, i) => pieceOf(segment, mode, lazy, pattern[i + 1])).join('');
  // Groups that the user writes make no columns; `groupNumbers` counts past them.
  const dot = mode === 'regex' && !wanted.includes('s') ? '' : 's';
  const set = [...new Set(dot + wanted.replace('U', ''))].join('');
  return `${set === '' ? '(?-s)' : `(?${set})`}(${mode === 'regex' ? '' : '^'}${body})`;
}

/** `lazy` swaps greedy and lazy only in the user's regular expressions. Captures take as little as possible, what looks like a value of their type if no literal text says where it ends, and the last one takes the rest. */
function pieceOf(
  segment: ParseSegment,
  mode: OperatorOf<'parse'>['mode'],
  lazy: boolean,
  next: ParseSegment | undefined,
): string {
  switch (segment.kind) {
    case 'text':
      return mode === 'regex' ? `(?${lazy ? 'U' : ''}:${segment.text})` : quoteRegex(segment.text);
    case 'skip':
      return next === undefined ? '.*' : '.*?';
    case 'capture': {
      if (next === undefined) return '(.*)';
      const isBounded = next.kind === 'text' && next.text !== '' && mode !== 'regex';
      const shape = isBounded ? undefined : shapes[segment.type];
      return shape === undefined ? '(.*?)' : `(${shape}|.*?)`;
    }
  }
}

/** The group number of each capture, from 1 (0 is the whole): groups inside regular expressions of the pattern count too. */
function groupNumbers({ mode, pattern }: OperatorOf<'parse'>): readonly number[] {
  const numbers: number[] = [];
  let next = 1;
  for (const segment of pattern) {
    if (segment.kind === 'capture') numbers.push(next++);
    else if (segment.kind === 'text' && mode === 'regex') {
      const reading = readRegex(segment.text);
      next += reading.ok ? reading.shape.groups.length : 0;
    }
  }
  return numbers;
}
