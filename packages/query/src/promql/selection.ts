import type { LabelFilter, Selection, TagFilter } from '@millrace/mpl';
import { compile, type Matcher, metricName, ParseProblem } from '@millrace/promql';
import { invalidParameter } from './prometheus-error.js';

/** Selectors of PromQL as conditions on stored series. */

const filterOf = ({ label, op, value }: Matcher): LabelFilter => ({ kind: 'label', tag: label, op, value });

const allOf = (matchers: readonly Matcher[]): TagFilter => ({ kind: 'and', parts: matchers.map(filterOf) });

/** The series of a selector; a single name reads the points of one metric only. */
export function selectionOf(matchers: readonly Matcher[]): Selection {
  const named = matchers.find(({ label, op, value }) => label === metricName && op === '=' && value !== '');
  const others = matchers.filter((matcher) => matcher !== named);
  return {
    sample: 1,
    ...(named !== undefined && { metric: named.value }),
    ...(others.length > 0 && { filter: allOf(others) }),
  };
}

/**
 * The conditions of `match[]`: a series passes one of them.
 * @throws HttpError for a text that is no selector
 */
export const filtersOf = (texts: readonly string[]): readonly TagFilter[] =>
  texts.map((text) => {
    try {
      const { expr } = compile(text);
      if (expr.kind === 'selector' && expr.range === undefined) return allOf(expr.matchers);
    } catch (error) {
      if (!(error instanceof ParseProblem)) throw error;
      throw invalidParameter('match[]', error.message);
    }
    throw invalidParameter('match[]', `${JSON.stringify(text)} is no instant vector selector`);
  });
