import type { Type } from '../evaluator/values.js';
import { cell, extremeCell, types } from './cells.js';
import { Choices } from './choices.js';
import { aggregateOperators } from './aggregations.js';
import { applyOperators } from './applies.js';
import { columnOperators } from './columns.js';
import { conversionOperators } from './conversions.js';
import { rowOperators } from './operators.js';
import { pluginOperators } from './plugins.js';
import { definitions, noDefinitions } from './definitions.js';
import { joinOperators } from './joins.js';
import { latest } from './latest.js';
import { searchOperators } from './searches.js';
import type { Field, Shape } from './shape.js';
import { subqueryOperators } from './subqueries.js';

/** A pipeline as text, and the known properties of its rows. */
export interface Pipeline {
  readonly text: string;
  readonly shape: Shape;
}

/** Makes an operator over rows of a shape; undefined if it does not fit them. */
export type Step = (choices: Choices, shape: Shape, source: (choices: Choices) => Pipeline) => Pipeline | undefined;

const steps: readonly Step[] = [
  ...rowOperators,
  ...aggregateOperators,
  ...joinOperators,
  ...subqueryOperators,
  ...searchOperators,
  ...columnOperators,
  ...conversionOperators,
  ...applyOperators,
  ...pluginOperators,
];

/**
 * Without operators whose columns depend on the data: readers of the rows in brackets have to know
 * the columns.
 */
const nestedSteps: readonly Step[] = steps.filter((step) => !pluginOperators.includes(step));

/** Name of the rows of a pipeline's `let`. */
const NAMED = 'named';
/** Name of the rows so far. */
const NAMED_SO_FAR = 'named_rows';

/** A random pipeline over tables of these shapes; all decisions come from `numbers`. */
export function pipelineOf(numbers: readonly number[], tables: Readonly<Record<string, Shape>>): Pipeline {
  const choices = new Choices(numbers);
  let all = tables;
  const defined = choices.oneIn(5) ? definitions(choices, tables) : noDefinitions;
  const source = (): Pipeline =>
    defined.sources.length > 0 && choices.oneIn(2) ? choices.of(defined.sources)(choices) : sourceOf(choices, all);
  /** A source in brackets, which may be a pipeline itself. */
  const generateNested = (): Pipeline => {
    let inner = source();
    // No functions that read neighboring rows: they need an order first.
    for (let left = choices.of([0, 0, 1, 3]); left > 0; left--) {
      const step = choices.of(nestedSteps)(choices, inner.shape, source);
      if (step !== undefined) inner = { text: `${inner.text} | ${step.text}`, shape: step.shape };
    }
    return inner;
  };
  const named = choices.oneIn(6) ? generateNested() : undefined;
  const before = `${defined.text}${named === undefined ? '' : `let ${NAMED} = ${named.text};\n`}`;
  if (named !== undefined) all = { ...tables, [NAMED]: named.shape };
  let { text, shape } = named !== undefined && choices.oneIn(2) ? { text: NAMED, shape: named.shape } : source();
  const count = 1 + choices.below(5);
  for (let i = 0; i < count; i++) {
    const some = defined.steps.length > 0 && choices.oneIn(3) ? defined.steps : steps;
    const step = choices.of(some)(choices, shape, generateNested);
    if (step === undefined) continue;
    text += `\n| ${step.text}`;
    shape = step.shape;
    if (step.text === `as ${NAMED_SO_FAR}`) all = { ...all, [NAMED_SO_FAR]: { ...shape, ordered: false } };
  }
  return { text: `${before}${text}`, shape };
}

function sourceOf(choices: Choices, tables: Readonly<Record<string, Shape>>): Pipeline {
  const names = Object.keys(tables);
  if (names.length === 0 || choices.oneIn(2)) return choices.oneIn(8) ? range(choices) : datatable(choices);
  const name = choices.of(names);
  const shape = tables[name]!;
  return !name.startsWith(NAMED) && choices.oneIn(5) ? latest(choices, name, shape) : { text: name, shape };
}

/** A table of a few rows, each with a unique number. */
function datatable(choices: Choices): Pipeline {
  const columns: readonly Field[] = [
    { name: 'id', type: 'long' },
    ...choices.times(1, 5, (i) => field(choices, columnNames[i]!)),
    ...(choices.oneIn(4) ? [{ name: 'big', type: 'long', wild: true } as const] : []),
  ];
  const rows = choices.times(0, 6, (i) =>
    columns.map(({ name, type }) =>
      name === 'id' ? `${i}` : name === 'big' ? extremeCell(choices) : cell(choices, type),
    ),
  );
  const header = columns.map(({ name, type }) => `${name}:${type}`).join(', ');
  return {
    text: `datatable(${header})[\n${rows.map((row) => `  ${row.join(', ')}`).join(',\n')}]`,
    shape: { fields: columns, unique: ['id'], ordered: false },
  };
}

const ranges = [
  ['long', '1', '5', '2'],
  ['long', '3', '-3', '-3'],
  ['long', '2', '1', '1'],
  ['datetime', 'datetime(2024-06-15)', 'datetime(2024-06-16)', '7h'],
  ['timespan', '0s', '90m', '20m'],
] as const;

/** A table of numbers or times. */
function range(choices: Choices): Pipeline {
  const [type, from, to, step] = choices.of(ranges);
  return {
    text: `range id from ${from} to ${to} step ${step}`,
    shape: { fields: [{ name: 'id', type }], unique: ['id'], ordered: true },
  };
}

/** With numbers whose natural order differs from the character order. */
const columnNames = ['c0', 'c10', 'c9', 'c1', 'c02'];

const field = (choices: Choices, name: string): Field => ({ name, type: choices.of<Type>(types) });
