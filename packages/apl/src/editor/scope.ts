import { QueryContext } from '../bind/context.js';
import type { Lets, LetValue } from '../bind/context.js';
import { bindPipeline, rules } from '../bind/pipeline.js';
import { bindStatements } from '../bind/statements.js';
import type { Catalog, Field as CatalogField } from '../model/catalog.js';
import { constant } from '../plan/scalar.js';
import type { Schema } from '../plan/schema.js';
import { Report } from '../report.js';
import type { Operator, Program, Statement, Tabular } from '../syntax/ast.js';
import { parse } from '../syntax/parse.js';
import { editorOptions } from './options.js';
import type { Place } from './place.js';
import type { Step } from './step.js';

/** The columns and definitions available at the cursor. */
export interface EditorScope {
  /** The columns that the preceding steps produce. */
  readonly schema: Schema;
  /** The columns of the table that a join adds. */
  readonly right?: Schema;
  readonly lets: Lets;
  /** Fields that `schema` leaves out because few events have them. */
  readonly rare: () => Iterable<CatalogField>;
}

/**
 * Binds everything before the step with the cursor, and ignores the rest. `known` is the word under
 * the cursor, which the bound text omits and which may name a rare field.
 */
export function scopeAt(place: Place, step: Step, catalog: Catalog, known = ''): EditorScope {
  const { program } = parse(place.text.slice(0, place.span.start));
  const query = new QueryContext(editorOptions(catalog), new Report());
  query.mentions.add(program);
  query.mentions.add({ known, segments: known.split('.') });
  const begin = place.before[step.frame.first]?.start ?? place.span.start;
  const statements = program.statements.filter(({ span }) => span.end <= begin);
  const lets = new Map(bindStatements(statements, { query, variables: {}, rules }));
  for (const statement of program.statements) if (statement.span.end > begin) addParameters(statement, lets);
  for (const [name, table] of namedBy(program, begin)) {
    const known = new Map(lets);
    lets.set(name, { kind: 'table', bind: () => bindPipeline(table, { query, lets: known }) });
  }
  const pipeline = step.piped ? pipelineAt(program, beginOf(place, step)) : undefined;
  if (pipeline === undefined) return { schema: { fields: [] }, lets, rare: () => [] };
  const before = pipeline.operators.filter(({ span }) => span.end <= stepStart(place, step));
  const { schema } = bindPipeline({ ...pipeline, operators: before }, { query, lets });
  const current = pipeline.operators[before.length];
  const right =
    current?.kind === 'join' || current?.kind === 'lookup'
      ? bindPipeline(current.right, { query, lets }).schema
      : undefined;
  const rare = function* (): Generator<CatalogField> {
    for (const name of schema.rest === undefined ? [] : query.datasets)
      yield* catalog.dataset(name)?.rest?.fields.all() ?? [];
  };
  return { schema, lets, rare, ...(right !== undefined && { right }) };
}

/** Where the text of the step begins, including the name of the operator. */
const stepStart = ({ before, span }: Place, { frame }: Step): number =>
  frame.pipe >= 0 ? before[frame.pipe]!.end : (before[frame.first]?.start ?? span.start);

/** Where the pipeline of the step begins: after `let name =` if it is the value of a `let`. */
function beginOf({ before, span }: Place, { frame }: Step): number {
  const tokens = before.slice(frame.first);
  const equals = tokens[0]?.text === 'let' ? tokens.findIndex(({ text }) => text === '=') : -1;
  return tokens[equals + 1]?.start ?? span.start;
}

/** Inside a function, its parameters are known, but not their values. */
function addParameters(statement: Statement, lets: Map<string, LetValue>): void {
  if (statement.kind !== 'letFunction') return;
  for (const { name, type, tabular } of statement.params)
    if (tabular !== true) lets.set(name.text, { kind: 'scalar', value: [constant(type ?? 'dynamic', null)] });
}

/** The tables that `as` names in the pipelines that contain the place. */
function namedBy(program: Program, begin: number): ReadonlyMap<string, Tabular> {
  const named = new Map<string, Tabular>();
  visitPipelines(program, (pipeline) => {
    const isAround = pipeline.span.start <= begin && begin <= pipeline.span.end;
    for (const [index, operator] of pipeline.operators.entries())
      if (isAround && operator.kind === 'as')
        named.set(operator.name.text, { ...pipeline, operators: pipeline.operators.slice(0, index) });
  });
  return named;
}

function visitPipelines(node: object, visit: (pipeline: Tabular) => void): void {
  if ('kind' in node && node.kind === 'pipeline') visit(node as Tabular);
  for (const part of Object.values(node) as unknown[])
    if (typeof part === 'object' && part !== null) visitPipelines(part, visit);
}

/**
 * The pipeline whose source begins at `begin`. The body of an `mv-apply` has no source: it
 * continues from the rows it is given.
 */
function pipelineAt(program: Program, begin: number): Tabular | undefined {
  let found: Tabular | undefined;
  visitPipelines(program, (pipeline) => {
    found ??= pipeline.source.span.start === begin ? pipeline : bodyAt(pipeline, begin);
  });
  return found;
}

function bodyAt(pipeline: Tabular, begin: number): Tabular | undefined {
  for (const [index, operator] of pipeline.operators.entries()) {
    if (operator.kind !== 'mv-apply') continue;
    // A body that is still empty has no position.
    const isOpen = index === pipeline.operators.length - 1 && operator.body.every(({ kind }) => kind === 'error');
    if (operator.body[0]?.span.start !== begin && !(isOpen && operator.span.end <= begin)) continue;
    const { columns, itemIndex, span, body } = operator;
    const elements: Operator = {
      kind: 'mv-expand',
      bag: false,
      columns,
      // Empty, and so before the body that takes its rows.
      span: { start: span.start, end: span.start },
      ...(itemIndex && { itemIndex }),
    };
    return { ...pipeline, operators: [...pipeline.operators.slice(0, index), elements, ...body] };
  }
  return undefined;
}
