/** Writes parts of PromQL. */

/** Thrown for what PromQL cannot express; the message is a sentence for users. */
export class Untranslatable extends Error {}

export const quoteText = (text: string): string => JSON.stringify(text);

const isPlain = (name: string): boolean => /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name);
const isPlainMetric = (name: string): boolean => /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name);

export const labelText = (name: string): string => (isPlain(name) ? name : quoteText(name));

export const numberText = (value: number): string =>
  value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value);

/** A condition on a label, such as `host="web-1"`. */
export interface LabelCondition {
  readonly label: string;
  readonly op: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

/** A selector of series. Words of the language and names with other characters stand in quotes. */
export function selectorText(metric: string, conditions: readonly LabelCondition[]): string {
  const labels = conditions.map(({ label, op, value }) => `${labelText(label)}${op}${quoteText(value)}`);
  const needsQuotes = !isPlainMetric(metric) || words.has(metric.toLowerCase());
  const inner = [...(needsQuotes ? [quoteText(metric)] : []), ...labels].join(', ');
  return `${needsQuotes ? '' : metric}${inner === '' ? '' : `{${inner}}`}`;
}

const words: ReadonlySet<string> = new Set(
  'and or unless atan2 by without on ignoring group_left group_right offset bool start end inf nan sum min max avg group stddev stdvar count count_values bottomk topk quantile limitk limit_ratio'.split(
    ' ',
  ),
);

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

export function durationText(milliseconds: number): string {
  if (milliseconds < 0) return `-${durationText(-milliseconds)}`;
  const [unit, size] = units.find(([, size]) => milliseconds % size === 0)!;
  return `${milliseconds / size}${unit}`;
}
