import { type Compiled, eachRowOperators, looksAtEachRow, parse } from '@millrace/apl';
import { httpError } from '../errors.js';
import type { Metadata } from '../metadata/metadata.js';
import { queryError } from './compile/query-error.js';

/**
 * What can be followed event by event: one dataset, and operators that look at one event at a time.
 */

const refused = (problem: string): Error =>
  httpError('invalid-query', {
    problem: `${problem}; a tail takes one dataset, followed by ${eachRowOperators.join(', ')}`,
  });

/**
 * The dataset that a query follows.
 * @throws HttpError `invalid-query`, saying what cannot be followed; `dataset-not-found`
 */
export function followedDataset(apl: string, { datasets, views, maxFollowedCharacters: most }: FollowedIn): string {
  if (apl.length > most) throw refused(`the query has ${apl.length} characters, and at most ${most} are followed`);
  const { program, diagnostics } = parse(apl);
  if (diagnostics.some(({ severity }) => severity === 'error')) throw queryError(apl, diagnostics);
  const { query } = program;
  if (query?.source.kind !== 'table') throw refused('the query does not begin with the name of a dataset');
  const { text: name, wildcard } = query.source.pattern;
  // What has a dataset's name is that dataset, a star in it or not.
  const isDataset = datasets.find(name) !== undefined;
  if (!isDataset && (wildcard || name.includes('*'))) throw refused(`'${name}' stands for several datasets`);
  const other = query.operators.find(({ kind }) => !looksAtEachRow(kind));
  if (other !== undefined) throw refused(`'${other.kind}' needs more than one event at a time`);
  if (!isDataset && views.has(name)) throw refused(`'${name}' is a view`);
  return name;
}

interface FollowedIn {
  readonly datasets: Pick<Metadata['datasets'], 'find'>;
  readonly views: ReadonlySet<string>;
  readonly maxFollowedCharacters: number;
}

/**
 * What the text of a query does not show: functions that look at other rows, and other questions
 * inside of it.
 * @throws HttpError `invalid-query`
 */
export function requireRowWise({ rowId, datasets, needs }: Compiled): void {
  if (rowId === undefined || datasets.length !== 1)
    throw refused('the rows of the query are not the events of one dataset');
  if (needs.has('other-rows')) throw refused('the query has a function that looks at other events');
}
