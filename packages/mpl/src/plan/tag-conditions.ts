import { and, call, type Expr, integer, literal, not, or } from '@millrace/sql';
import { labelCondition } from './label-conditions.js';
import { columns } from '../model/columns.js';
import type { Comparison } from '../syntax/ast.js';
import { tagText } from '../tags.js';
import type { TagFilter, TagValue } from './plan.js';

/**
 * Conditions on the tags of a series as SQL. Tags are an object of texts: a letter for the type,
 * then the value. A missing tag is the empty text, and makes every comparison false.
 */

const comparisonCalls: Readonly<Record<Comparison, string>> = {
  '==': 'equals',
  '!=': 'notEquals',
  '<': 'less',
  '<=': 'lessOrEquals',
  '>': 'greater',
  '>=': 'greaterOrEquals',
};

const letters = { string: 's', int: 'i', float: 'f', bool: 'b', array: 'a' } as const;

/** The stored text of a tag; empty if the series does not have it. */
const tagOf = (name: string): Expr => call('JSONExtractString', columns.tags, literal(name));
const valueOf = (stored: Expr): Expr => call('substring', stored, integer(2));
const hasType = (stored: Expr, type: keyof typeof letters): Expr => call('startsWith', stored, literal(letters[type]));
const isPresent = (stored: Expr): Expr => call('notEquals', stored, literal(''));
const isNumber = (stored: Expr): Expr => or(hasType(stored, 'int'), hasType(stored, 'float'));

export function conditionOf(filter: TagFilter): Expr {
  switch (filter.kind) {
    case 'and':
      return and(...filter.parts.map(conditionOf));
    case 'or':
      return or(...filter.parts.map(conditionOf));
    case 'not':
      return not(conditionOf(filter.of));
    case 'is':
      return hasType(tagOf(filter.tag), filter.type);
    case 'in':
      return or(...filter.values.map((value) => isEqual(tagOf(filter.tag), value)));
    case 'contains': {
      const stored = tagOf(filter.tag);
      const elements = call('JSONExtract', valueOf(stored), literal('Array(String)'));
      const isElement = call(
        'arrayExists',
        { kind: 'lambda', params: ['x'], body: isEqual(call('identity', { kind: 'column', name: 'x' }), filter.value) },
        elements,
      );
      return and(hasType(stored, 'array'), isElement);
    }
    case 'regex': {
      const stored = tagOf(filter.tag);
      const matches = call('match', valueOf(stored), literal(filter.pattern));
      const isText = or(hasType(stored, 'string'), isNumber(stored));
      return filter.negated ? and(isPresent(stored), not(and(isText, matches))) : and(isText, matches);
    }
    case 'label':
      return labelCondition(filter);
    case 'compare': {
      const stored = tagOf(filter.tag);
      if (filter.op === '==') return isEqual(stored, filter.value);
      if (filter.op === '!=') return and(isPresent(stored), not(isEqual(stored, filter.value)));
      return compareStored(stored, filter.op, filter.value);
    }
  }
}

const isEqual = (stored: Expr, value: TagValue): Expr =>
  value.type === 'int' || value.type === 'float'
    ? compareStored(stored, '==', value)
    : call('equals', stored, literal(tagText(value)));

/** Values of different types are in no order. */
function compareStored(stored: Expr, op: Comparison, value: TagValue): Expr {
  const name = comparisonCalls[op];
  switch (value.type) {
    case 'int':
    case 'float': {
      const number = call('toFloat64OrZero', valueOf(stored));
      return and(isNumber(stored), call(name, number, numberLiteral(value.value)));
    }
    case 'string':
      return and(hasType(stored, 'string'), call(name, valueOf(stored), literal(value.value)));
    case 'bool':
      return and(hasType(stored, 'bool'), call(name, valueOf(stored), literal(value.value ? '1' : '0')));
    case 'array':
      return literal(false);
  }
}

const numberLiteral = (value: number): Expr =>
  Number.isFinite(value) ? literal(value) : call('toFloat64', literal(value > 0 ? 'inf' : '-inf'));
