import { datasetText, fieldText, stringText } from '../../data/apl-text.js';
import type { SearchField } from '../search-terms.js';
import { durationText } from './durations.js';
import {
  labelCondition,
  type LabelScope,
  PatternReader,
  QUOTED_TEXT,
  readGroups,
  readSelector,
  unquote,
} from './labels.js';
import { type Shape, TranslationError } from './translation-error.js';

/** LogQL: streams, line filters, parsers, label filters, and the usual aggregations over them. */

interface Source {
  readonly conditions: readonly string[];
  readonly unwrapped: string | undefined;
  /** Its range in APL, unless a variable is one. */
  readonly range: string | undefined;
}

/** `{app="x"} |= "text" | json | status >= 500 | unwrap duration [5m]`. */
function readSource(reader: PatternReader, scope: LabelScope): Source {
  const conditions = [...readSelector(reader, scope)];
  let unwrapped: string | undefined;
  for (;;) {
    const line = reader.take(new RegExp(String.raw`^(\|=|!=|\|~|!~)\s*${QUOTED_TEXT}`));
    if (line !== undefined) {
      const value = unquote(line[2]!);
      if (value === '') continue;
      if (/\$\w|\$\{/.test(value)) throw new TranslationError(line[0]);
      const isRegex = line[1] === '|~' || line[1] === '!~';
      const test = isRegex ? `* matches regex ${stringText(value)}` : stringText(value);
      conditions.push(`${line[1]!.startsWith('!') ? 'line !' : 'line '}${test}`);
      continue;
    }
    if (reader.take(/^\|\s*(?:json|logfmt|unpack|drop [\w, ]+|keep [\w, ]+|decolorize)\b/) !== undefined) continue;
    const line_format = reader.take(new RegExp(String.raw`^\|\s*line_format\s*${QUOTED_TEXT}`));
    if (line_format !== undefined) continue;
    const unwrap = reader.take(/^\|\s*unwrap\s+(?:\w+\(([\w.]+)\)|([\w.]+))/);
    if (unwrap !== undefined) {
      unwrapped = unwrap[1] ?? unwrap[2];
      continue;
    }
    if (reader.take(/^\|\s*__error__\s*=\s*(?:""|``)/) !== undefined) continue;
    const number = reader.take(/^\|\s*([\w.]+)\s*(>=|<=|==|!=|>|<|=)\s*(-?\d+(?:\.\d+)?)(?![\w.])/);
    if (number !== undefined) {
      conditions.push(`${fieldText(number[1]!)} ${number[2] === '=' ? '==' : number[2]} ${number[3]}`);
      continue;
    }
    const label = reader.take(new RegExp(String.raw`^\|\s*([\w.]+)\s*(=~|!~|!=|=)\s*${QUOTED_TEXT}`));
    if (label === undefined) break;
    conditions.push(...labelCondition(label[1]!, label[2]!, unquote(label[3]!), scope));
  }
  const range = reader.take(/^\[\s*(?:(\d+(?:ms|[smhdw]))|\$\{?\w+\}?)\s*\]/);
  return { conditions, unwrapped, range: range?.[1] && durationText(range[1]) };
}

/** Aggregations over a range; a rate is per second. */
const rangeFunctions: Readonly<Record<string, (of: string | undefined, quantile: string) => string | undefined>> = {
  count_over_time: () => 'count()',
  rate: (of) => (of === undefined ? 'rate(1)' : `rate(${of})`),
  sum_over_time: (of) => of && `sum(${of})`,
  avg_over_time: (of) => of && `avg(${of})`,
  max_over_time: (of) => of && `max(${of})`,
  min_over_time: (of) => of && `min(${of})`,
  stddev_over_time: (of) => of && `stdev(${of})`,
  quantile_over_time: (of, quantile) => of && `percentile(${of}, ${Number((Number(quantile) * 100).toFixed(6))})`,
};

interface Metric extends Source {
  readonly aggregate: string;
  readonly groups: readonly string[];
  readonly top: number | undefined;
}

function readMetric(reader: PatternReader, scope: LabelScope): Metric {
  const top = reader.take(/^topk\s*\(\s*(\d+)\s*,/);
  const outer = reader.take(/^(sum|avg|max|min|count)\b/)?.[1];
  let groups = outer === undefined ? undefined : readGroups(reader);
  if (outer !== undefined) reader.need(/^\(/);
  const name = reader.need(/^(\w+)\s*\(/)[1]!;
  const quantile = name === 'quantile_over_time' ? reader.need(/^([\d.]+)\s*,/)[1]! : '';
  const source = readSource(reader, scope);
  reader.need(/^\)/);
  groups ??= readGroups(reader);
  if (outer !== undefined) {
    reader.need(/^\)/);
    groups ??= readGroups(reader);
  }
  if (top !== undefined) reader.need(/^\)/);
  const of = source.unwrapped === undefined ? undefined : fieldText(source.unwrapped);
  const aggregate = Object.hasOwn(rangeFunctions, name) ? rangeFunctions[name]!(of, quantile) : undefined;
  if (aggregate === undefined) throw new TranslationError(`${name}()`);
  return { ...source, aggregate, groups: groups ?? [], top: top === undefined ? undefined : Number(top[1]) };
}

interface LogQueryOptions {
  readonly shape: Shape;
  /** Width of time bins: the query's range, such as `[5m]`, or one that suits the chart. */
  readonly bins?: 'auto' | 'literal';
  readonly fields?: readonly SearchField[] | undefined;
}

/** @throws TranslationError */
export function logQuery(expression: string, dataset: string, options: LogQueryOptions): string {
  const { shape, bins = 'auto', fields } = options;
  const reader = new PatternReader(expression);
  const scope: LabelScope = { fields, variables: [] };
  const metric = reader.rest.startsWith('{') ? undefined : readMetric(reader, scope);
  const read = metric ?? readSource(reader, scope);
  if (reader.rest !== '') throw new TranslationError(reader.rest.slice(0, 40));
  const declared = [...new Set(scope.variables)].map((name) => `_${name}: string = ''`);
  return [
    `${declared.length > 0 ? `declare query_parameters (${declared.join(', ')});\n` : ''}${datasetText(dataset)}`,
    ...stepsOf(read.conditions),
    ...(metric !== undefined
      ? summaryOf(metric, shape, bins)
      : shape === 'times'
        ? ['summarize count() by bin_auto(_time)']
        : []),
  ].join('\n| ');
}

function stepsOf(conditions: readonly string[]): readonly string[] {
  const lines = conditions.filter((each) => /^line !?/.test(each));
  const fields = conditions.filter((each) => !lines.includes(each));
  return [
    ...(fields.length > 0 ? [`where ${fields.join(' and ')}`] : []),
    ...lines.map((each) => {
      const test = each.replace(/^line !?/, '');
      return each.startsWith('line !') ? `search not(${test})` : `search ${test}`;
    }),
  ];
}

function summaryOf(
  { aggregate, groups, top, range }: Metric,
  shape: Shape,
  bins: 'auto' | 'literal',
): readonly string[] {
  const fields = groups.map(fieldText);
  const bin = bins === 'literal' && range !== undefined ? `bin(_time, ${range})` : 'bin_auto(_time)';
  const by = shape === 'times' ? [bin, ...fields] : fields;
  const summary = `summarize value = ${aggregate}${by.length > 0 ? ` by ${by.join(', ')}` : ''}`;
  if (shape === 'times' || by.length === 0) return [summary];
  return [summary, top === undefined ? 'sort by value desc' : `top ${top} by value`];
}
