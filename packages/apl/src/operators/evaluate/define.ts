import type { Plan } from '../../plan/nodes.js';
import type { Argument, Span } from '../../syntax/ast.js';
import type { OperatorContext } from '../define.js';

/** Where a plugin is bound; `span` is the whole operator. */
export type PluginContext = OperatorContext & { readonly span: Span };

/**
 * Turns a plugin of `evaluate` into algebra over its input. If something is wrong, reports it and
 * returns the input.
 */
export type BindPlugin = (args: readonly Argument[], input: Plan, context: PluginContext) => Plan;

/** The name of a column whose name is missing or empty in the data. */
export const EMPTY = '(empty)';

/** A name that is not taken yet: with a number after it if necessary, like columns of joins. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let i = 1; taken.has(free); i++) free = `${name}${i}`;
  return free;
}

/** Reports that there would be more columns than a result may get from data. */
export function tooMany(plugin: string, what: string, { query, span }: PluginContext): void {
  query.report.error(
    'limit',
    span,
    `${plugin} would make more than ${query.maxDataColumns} columns of ${what}; filter the rows first, or keep the most frequent with top`,
  );
}
