import { datasetText, fieldText } from '../../data/apl-text.js';
import type { SearchField } from '../search-terms.js';
import { durationText } from './durations.js';
import { type LabelScope, PatternReader, readGroups, readSelector } from './labels.js';
import { TranslationError } from './translation-error.js';

/**
 * PromQL over a field of events: `max by (host) (max_over_time(cpu{zone="a"}[5m]))`. Counters and
 * single series have no equivalent among events, and are not translated.
 */

const LABEL = String.raw`\{\s*[A-Za-z_]\w*\s*(?:=~|!~|!=|=)\s*["']`;
const SIGNS = new RegExp(
  String.raw`[A-Za-z_:][\w:]*${LABEL}|[A-Za-z_:][\w:]*\s*(?:\{[^}]*\}\s*)?\[\d+(?:ms|[smhdwy])(?::\w*)?\]`,
);

/** Streams in braces without a name before them are LogQL. */
export const isPromQuery = (text: string): boolean =>
  /^\s*[A-Za-z_:][\w:]*\s*(?:[({[]|(?:by|without)\s*\()/.test(text) && SIGNS.test(text) && !/(?:^|[\s(,])\{/.test(text);

/** Ranges that an aggregation can follow, with the aggregate of all their points. */
const points: Readonly<Record<string, (field: string) => string>> = {
  'sum sum_over_time': (field) => `sum(${field})`,
  'sum count_over_time': (field) => `countif(isnotnull(${field}))`,
  'max max_over_time': (field) => `max(${field})`,
  'min min_over_time': (field) => `min(${field})`,
  'avg avg_over_time': (field) => `avg(${field})`,
};

/** @throws TranslationError */
export function promQuery(text: string, dataset: string, fields: readonly SearchField[] | undefined): string {
  const reader = new PatternReader(text);
  const scope: LabelScope = { fields, variables: [] };
  const outer = reader.take(/^(sum|avg|max|min)\b(?=\s*(?:by\s*)?\()/)?.[1];
  if (outer === undefined) throw new TranslationError(text.slice(0, 40));
  let groups = readGroups(reader);
  reader.need(/^\(/);
  const name = reader.need(/^([a-z_]+)\s*\(/)[1]!;
  const aggregate = points[`${outer} ${name}`];
  if (aggregate === undefined) throw new TranslationError(`${name}()`);
  const metric = reader.need(/^[A-Za-z_:][\w:]*/)[0];
  const field = fields?.find((each) => each.name === metric);
  if (field === undefined) throw new TranslationError(metric);
  const conditions = reader.rest.startsWith('{') ? readSelector(reader, scope) : [];
  const range = durationText(reader.need(/^\[\s*(\d+(?:ms|[smhdw]))\s*\]/)[1]!)!;
  reader.need(/^\)/);
  reader.need(/^\)/);
  groups ??= readGroups(reader);
  const compared = reader.take(/^(>=|<=|==|!=|>|<)\s*(-?\d+(?:\.\d+)?)/);
  if (reader.rest !== '' || scope.variables.length > 0) throw new TranslationError(reader.rest || text.slice(0, 40));
  const by = [`bin(_time, ${range})`, ...(groups ?? []).map(fieldText)];
  return [
    datasetText(dataset),
    ...(conditions.length > 0 ? [`where ${conditions.join(' and ')}`] : []),
    `summarize value = ${aggregate(fieldText(metric))} by ${by.join(', ')}`,
    ...(compared === undefined ? [] : [`where value ${compared[1]} ${compared[2]}`]),
  ].join('\n| ');
}
