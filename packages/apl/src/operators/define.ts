import type { Lets, PipelineScope, Scope } from '../bind/context.js';
import type { NeedsOfRecord } from '../needs.js';
import type { Plan } from '../plan/nodes.js';
import type { Schema } from '../plan/schema.js';
import type { Operator, Statement, Tabular } from '../syntax/ast.js';

export type OperatorKind = Operator['kind'];
export type OperatorOf<K extends OperatorKind> = Extract<Operator, { readonly kind: K }>;

/** What an operator is bound with. */
export interface OperatorContext extends PipelineScope {
  /** The scope of expressions over a table. */
  readonly scalarScope: (schema: Schema) => Scope;
  /** The scope of expressions that can read no columns. */
  readonly constantScope: Scope;
  /** Binds a pipeline at this place, or where only the given names are known. */
  readonly bindPipeline: (pipeline: Tabular, lets?: Lets) => Plan;
  /** The names that statements define where no other names are known. */
  readonly bindStatements: (statements: readonly Statement[]) => Lets;
  /** Makes the name usable as a table in what follows (`as`). */
  readonly define: (name: string, plan: Plan) => void;
  /** The name that `as` gave to the rows so far. */
  readonly nameOf: (plan: Plan) => string | undefined;
  /** Asks for a chart (`render`). */
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
  /** It makes of each row one row or none, whatever other rows there are. */
  readonly eachRow?: boolean;
  /**
   * Its rows have an order of their own, or are no events: a default order does not concern them.
   */
  readonly settlesOrder?: boolean;
}
