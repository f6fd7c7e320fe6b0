import { literal, types } from './cells.js';
import type { Choices } from './choices.js';
import { Expressions } from './expressions.js';
import { rowOperators } from './operators.js';
import type { Pipeline, Step } from './pipelines.js';
import { withFields } from './shape.js';
import type { Field, Shape } from './shape.js';

/** Statements before a pipeline, and the operators and sources that use their definitions. */
interface Definitions {
  readonly text: string;
  readonly steps: readonly Step[];
  readonly sources: readonly ((choices: Choices) => Pipeline)[];
}

export const noDefinitions: Definitions = { text: '', steps: [], sources: [] };

/** A value, a function of values, or one of rows, which are those of a table. */
export const definitions = (choices: Choices, tables: Readonly<Record<string, Shape>>): Definitions =>
  choices.of([value, scalarFunction, tableFunction])(choices, tables);

function value(choices: Choices): Definitions {
  const type = choices.of(types);
  const given: Field = { name: 'given', type };
  const where: Step = (later, shape) => ({
    text: `where ${new Expressions(later, { ...shape, fields: [...shape.fields, given] }).of('bool', 2)}`,
    shape,
  });
  return { text: `let given = ${literal(choices, type)};\n`, steps: [where], sources: [] };
}

function scalarFunction(choices: Choices): Definitions {
  const params = choices.times(1, 2, (i): Field => ({ name: `arg${i}`, type: choices.of(types) }));
  const type = choices.of(types);
  const body = new Expressions(choices, { fields: params, unique: undefined, ordered: false }).of(type, 2);
  const extend: Step = (later, shape) => {
    const args = params.map((param) => new Expressions(later, shape).of(param.type, 1));
    const kept = shape.fields.filter(({ name }) => name !== 'made');
    return {
      text: `extend made = maker(${args.join(', ')})`,
      shape: withFields(shape, [...kept, { name: 'made', type, wild: true }], kept),
    };
  };
  return { text: `let maker = (${writeParams(params)}) { ${body} };\n`, steps: [extend], sources: [] };
}

function tableFunction(choices: Choices, tables: Readonly<Record<string, Shape>>): Definitions {
  const name = choices.of(Object.keys(tables));
  const shape: Shape = { ...tables[name]!, ordered: false };
  const param: Field = { name: 'arg0', type: choices.of(types) };
  const condition = new Expressions(choices, { ...shape, fields: [...shape.fields, param] }).of('bool', 2);
  const last = choices.of(rowOperators)(choices, shape, () => ({ text: name, shape }));
  const body = `rows | where ${condition}${last === undefined ? '' : ` | ${last.text}`}`;
  const source = (later: Choices): Pipeline => {
    const rows = later.oneIn(2) ? name : `(${name} | where ${new Expressions(later, shape).of('bool', 1)})`;
    return { text: `rows_of(${rows}, ${literal(later, param.type)})`, shape: last?.shape ?? shape };
  };
  return { text: `let rows_of = (rows:(*), ${writeParams([param])}) { ${body} };\n`, steps: [], sources: [source] };
}

const writeParams = (params: readonly Field[]): string => params.map(({ name, type }) => `${name}:${type}`).join(', ');
