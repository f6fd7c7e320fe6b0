import { datasetText, fieldText, stringText } from '../../data/apl-text.js';
import { durationText } from './durations.js';
import { type Shape, Untranslated } from './untranslated.js';

/** LogQL: streams, line filters, parsers, label filters, and the usual aggregations over them. */

/** Reads text from its start on. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get rest(): string {
    return this.#text.slice(this.#at).trimStart();
  }

  /** The match of a pattern at the present position, after spaces. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const [space = ''] = /^\s*/.exec(this.#text.slice(this.#at)) ?? [];
    const found = pattern.exec(this.#text.slice(this.#at + space.length));
    if (found === null || found.index !== 0) return undefined;
    this.#at += space.length + found[0].length;
    return found;
  }

  need(pattern: RegExp): RegExpExecArray {
    const found = this.take(pattern);
    if (found === undefined) throw new Untranslated(this.rest.slice(0, 40) || 'the end of the query');
    return found;
  }
}

const TEXT = String.raw`("(?:[^"\\]|\\.)*"|\x60[^\x60]*\x60)`;
const unquoted = (text: string): string =>
  text.startsWith('`') ? text.slice(1, -1) : text.slice(1, -1).replaceAll(/\\(.)/g, '$1');

interface Source {
  readonly conditions: readonly string[];
  /** Variables that conditions compare with. */
  readonly variables: readonly string[];
  readonly unwrapped: string | undefined;
  /** Its range in APL, unless a variable is one. */
  readonly range: string | undefined;
}

const VARIABLE = /^\$\{?(\w+)(?::\w+)?\}?$/;

/** A condition on a label; one on a variable holds while the variable is empty. */
function labelCondition(name: string, operator: string, value: string, variables: string[]): string[] {
  const field = fieldText(name);
  const variable = VARIABLE.exec(value)?.[1];
  if (variable !== undefined) {
    if (operator.startsWith('!')) throw new Untranslated(`${name}${operator}"${value}"`);
    variables.push(variable);
    return [`(isempty(_${variable}) or ${field} == _${variable})`];
  }
  if (/\$\w|\$\{/.test(value)) throw new Untranslated(`${name}${operator}"${value}"`);
  switch (operator) {
    case '=':
      return [`${field} == ${stringText(value)}`];
    case '!=':
      return [`${field} != ${stringText(value)}`];
    case '=~':
    case '!~': {
      if (value === '.+' || value === '.*') return operator === '=~' ? [] : [`isempty(${field})`];
      const choices = value.split('|');
      const isList = choices.every((each) => /^[\w-]+$/.test(each));
      const test = isList
        ? `${field} in (${choices.map(stringText).join(', ')})`
        : `${field} matches regex ${stringText(`^(?:${value})$`)}`;
      return [operator === '=~' ? test : `not(${test})`];
    }
    default:
      throw new Untranslated(`${name}${operator}`);
  }
}

/** `{app="x"} |= "text" | json | status >= 500 | unwrap duration [5m]`. */
function readSource(reader: Reader): Source {
  const conditions: string[] = [];
  const variables: string[] = [];
  let unwrapped: string | undefined;
  reader.need(/^\{/);
  while (reader.take(/^\}/) === undefined) {
    const [, name, operator, text] = reader.need(new RegExp(String.raw`^([\w.]+)\s*(=~|!~|!=|=)\s*${TEXT}\s*,?`));
    conditions.push(...labelCondition(name!, operator!, unquoted(text!), variables));
  }
  for (;;) {
    const line = reader.take(new RegExp(String.raw`^(\|=|!=|\|~|!~)\s*${TEXT}`));
    if (line !== undefined) {
      const value = unquoted(line[2]!);
      if (value === '') continue;
      if (/\$\w|\$\{/.test(value)) throw new Untranslated(line[0]);
      const isRegex = line[1] === '|~' || line[1] === '!~';
      const test = isRegex ? `* matches regex ${stringText(value)}` : stringText(value);
      conditions.push(`${line[1]!.startsWith('!') ? 'line !' : 'line '}${test}`);
      continue;
    }
    if (reader.take(/^\|\s*(?:json|logfmt|unpack|drop [\w, ]+|keep [\w, ]+|decolorize)\b/) !== undefined) continue;
    const line_format = reader.take(new RegExp(String.raw`^\|\s*line_format\s*${TEXT}`));
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
    const label = reader.take(new RegExp(String.raw`^\|\s*([\w.]+)\s*(=~|!~|!=|=)\s*${TEXT}`));
    if (label === undefined) break;
    conditions.push(...labelCondition(label[1]!, label[2]!, unquoted(label[3]!), variables));
  }
  const range = reader.take(/^\[\s*(?:(\d+(?:ms|[smhdw]))|\$\{?\w+\}?)\s*\]/);
  return { conditions, variables, unwrapped, range: range?.[1] && durationText(range[1]) };
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

const BY = /^by\s*\(([\w., ]*)\)/;
const groupsIn = (found: RegExpExecArray | undefined): readonly string[] | undefined =>
  found?.[1]!
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

interface Metric extends Source {
  readonly aggregate: string;
  readonly groups: readonly string[];
  readonly top: number | undefined;
}

function readMetric(reader: Reader): Metric {
  const top = reader.take(/^topk\s*\(\s*(\d+)\s*,/);
  const outer = reader.take(/^(sum|avg|max|min|count)\b/)?.[1];
  let groups = outer === undefined ? undefined : groupsIn(reader.take(BY));
  if (outer !== undefined) reader.need(/^\(/);
  const name = reader.need(/^(\w+)\s*\(/)[1]!;
  const quantile = name === 'quantile_over_time' ? reader.need(/^([\d.]+)\s*,/)[1]! : '';
  const source = readSource(reader);
  reader.need(/^\)/);
  groups ??= groupsIn(reader.take(BY));
  if (outer !== undefined) {
    reader.need(/^\)/);
    groups ??= groupsIn(reader.take(BY));
  }
  if (top !== undefined) reader.need(/^\)/);
  const of = source.unwrapped === undefined ? undefined : fieldText(source.unwrapped);
  const aggregate = Object.hasOwn(rangeFunctions, name) ? rangeFunctions[name]!(of, quantile) : undefined;
  if (aggregate === undefined) throw new Untranslated(`${name}()`);
  return { ...source, aggregate, groups: groups ?? [], top: top === undefined ? undefined : Number(top[1]) };
}

/**
 * Bins of times are `literal` as wide as the range of the query, such as `[5m]`; otherwise their
 * width follows the chart.
 *
 * @throws Untranslated
 */
export function logQuery(expression: string, dataset: string, shape: Shape, bins: 'auto' | 'literal' = 'auto'): string {
  const reader = new Reader(expression);
  const metric = reader.rest.startsWith('{') ? undefined : readMetric(reader);
  const read = metric ?? readSource(reader);
  if (reader.rest !== '') throw new Untranslated(reader.rest.slice(0, 40));
  const declared = [...new Set(read.variables)].map((name) => `_${name}: string = ''`);
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
