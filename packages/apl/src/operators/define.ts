import type { Lets, PipelineScope, Scope } from '../bind/context.js';
import type { NeedsOfRecord } from '../model/needs.js';
import type { Plan } from '../plan/nodes.js';
import type { Schema } from '../plan/schema.js';
import type { Operator, Statement, Tabular } from '../syntax/ast.js';

export type OperatorKind = Operator['kind'];
export type OperatorOf<K extends OperatorKind> = Extract<Operator, { readonly kind: K }>;

/** Binding context of an operator. */
export interface OperatorContext extends PipelineScope {
  /** The scope of expressions over a table. */
  readonly scalarScope: (schema: Schema) => Scope;
  /** The scope of expressions that can read no columns. */
  readonly constantScope: Scope;
  /** Binds a pipeline at this place, or where only the given names are known. */
  readonly bindPipeline: (pipeline: Tabular, lets?: Lets) => Plan;
  /** The names that statements define where no other names are known. */
  readonly bindStatements: (statements: readonly Statement[]) => Lets;
  /** Defines the name as a table for the following steps (`as`). */
  readonly define: (name: string, plan: Plan) => void;
  /** The name that `as` gave to the rows so far. */
  readonly nameOf: (plan: Plan) => string | undefined;
  /** Requests a chart (`render`). */
  readonly chart: (hint: ChartHint) => void;
}

export interface ChartHint {
  readonly kind: string;
  readonly options: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Turns an operator of the language into algebra over its input. If something is wrong, reports it
 * and returns the input.
 */
export type BindOperator<K extends OperatorKind> = (
  operator: OperatorOf<K>,
  input: Plan,
  context: OperatorContext,
) => Plan;

/** An operator of the language, declared once. */
export interface OperatorRecord<K extends OperatorKind> extends Pick<NeedsOfRecord, 'readsEventTimes'> {
  readonly bind: BindOperator<K>;
  /** It makes one row or none of each row, independently of other rows. */
  readonly eachRow?: boolean;
  /** Its rows have their own order, or are not events: no default order is applied. */
  readonly settlesOrder?: boolean;
}
