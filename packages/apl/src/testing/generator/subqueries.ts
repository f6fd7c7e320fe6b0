import { Expressions } from './expressions.js';
import { keysOf } from './joins.js';
import type { Step } from './pipelines.js';
import { deterministicFields } from './shape.js';
import type { Field } from './shape.js';

/** Queries inside expressions: the first column is a list, or the first cell is a value. */

const isNumber = ({ type }: Field): boolean => type === 'long' || type === 'real' || type === 'timespan';
const areNumbers = ([left, right]: readonly [Field, Field]): boolean => isNumber(left) && isNumber(right);

const textOperators = ['in', '!in', 'in~', '!in~', 'has_any', '!has_any', 'has_all'];

const within: Step = (choices, shape, source) => {
  const other = source(choices);
  const numbers = deterministicFields(shape).flatMap((l) =>
    deterministicFields(other.shape)
      .map((r) => [l, r] as const)
      .filter(areNumbers),
  );
  // The elements of rows that are lists count.
  const lists = shape.fields.flatMap((l) =>
    l.type === 'string' || l.type === 'long'
      ? other.shape.fields.filter(({ type }) => type === 'dynamic').map((r) => [l, r] as const)
      : [],
  );
  const keys = [...keysOf(shape, other.shape), ...numbers, ...lists];
  if (keys.length === 0) return undefined;
  const [left, right] = choices.of(keys);
  const operator = choices.of(left.type === 'string' ? textOperators : ['in', '!in']);
  const test = `${left.name} ${operator} (${other.text} | project ${right.name})`;
  return {
    text: `where ${choices.oneIn(3) ? `${test} or ${new Expressions(choices, shape).of('bool', 1)}` : test}`,
    shape,
  };
};

const firstCell: Step = (choices, shape, source) => {
  const other = source(choices);
  const [field] = deterministicFields(other.shape).length === 0 ? [] : [choices.of(deterministicFields(other.shape))];
  const [name, type] = field === undefined ? ['n', 'long' as const] : [field.name, field.type];
  const aggregate = field === undefined ? 'count()' : choices.of(['max', 'min']) + `(${name})`;
  const kept = shape.fields.filter((other) => other.name !== 'cell');
  const cell: Field = { name: 'cell', type, wild: type === 'long' || type === 'real' };
  return {
    text: `extend cell = toscalar(${other.text} | summarize m = ${aggregate})`,
    shape: { ...shape, fields: [...kept, cell], ...(shape.unique?.includes('cell') === true && { unique: undefined }) },
  };
};

export const subqueryOperators: readonly Step[] = [within, firstCell];
