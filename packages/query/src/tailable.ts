import { type CompiledQuery, eachRowOperators, looksAtEachRow, parse } from '@millrace/apl';
import { httpError } from '@millrace/api/errors';
import type { Metadata } from '@millrace/metadata/metadata';
import { queryError } from './compile/query-error.js';

/** Queries that can be tailed: one dataset, and operators that process one event at a time. */

const refusalError = (problem: string): Error =>
  httpError('invalid-query', {
    problem: `${problem}; a tail query is one dataset followed by ${eachRowOperators.join(', ')}`,
  });

/**
 * The dataset that a query tails.
 * @throws HttpError `invalid-query`, with the unsupported part; `dataset-not-found`
 */
export function tailedDataset(apl: string, { datasets, views, maxFollowedCharacters: max }: FollowedIn): string {
  if (apl.length > max) throw refusalError(`the query has ${apl.length} characters, and at most ${max} are followed`);
  const { program, diagnostics } = parse(apl);
  if (diagnostics.some(({ severity }) => severity === 'error')) throw queryError(apl, diagnostics);
  const { query } = program;
  if (query?.source.kind !== 'table') throw refusalError('the query does not begin with the name of a dataset');
  const { text: name, wildcard } = query.source.pattern;
  // If a dataset has this name, it is that dataset, even if the name contains a star.
  const isDataset = datasets.find(name) !== undefined;
  if (!isDataset && (wildcard || name.includes('*'))) throw refusalError(`'${name}' stands for several datasets`);
  const other = query.operators.find(({ kind }) => !looksAtEachRow(kind));
  if (other !== undefined) throw refusalError(`'${other.kind}' needs more than one event at a time`);
  if (!isDataset && views.has(name)) throw refusalError(`'${name}' is a view`);
  return name;
}

interface FollowedIn {
  readonly datasets: Pick<Metadata['datasets'], 'find'>;
  readonly views: ReadonlySet<string>;
  readonly maxFollowedCharacters: number;
}

/**
 * Checks properties that the text of a query does not show: functions of other rows, and nested
 * queries.
 * @throws HttpError `invalid-query`
 */
export function assertRowWise({ rowId, datasets, needs }: CompiledQuery): void {
  if (rowId === undefined || datasets.length !== 1)
    throw refusalError('the rows of the query are not the events of one dataset');
  if (needs.has('other-rows')) throw refusalError('the query has a function that looks at other events');
}
