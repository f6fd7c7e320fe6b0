import type { Comparison } from '../syntax/ast.js';

/** Writes names and values as text of a query. */

const keywords: ReadonlySet<string> = new Set(
  'where filter ifdef map align group bucket as extend sample offset compute using by to and or not in is contains set param inf true false'.split(
    ' ',
  ),
);

/** A name, in backquotes if it needs them. */
export const nameText = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !keywords.has(name)
    ? name
    : `\`${name.replaceAll(/[\\`]/g, String.raw`\$&`)}\``;

/** The value of a tag. Infinite bounds of histograms arrive as text. */
export function valueText(value: unknown): string {
  if (value === '+Inf' || value === '-Inf') return value === '+Inf' ? 'inf' : '-inf';
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'string') return JSON.stringify(value);
  // Otherwise `${` would insert a tag.
  return JSON.stringify(value).replaceAll('$', String.raw`\$`);
}

export const regexText = (pattern: string): string => `#/${pattern.replaceAll('/', String.raw`\/`)}/`;

export type FilterOperator = Comparison | '=~' | '!~';

/** A condition on a tag; `=~` and `!~` compare with a regular expression. */
export function conditionText(tag: string, operator: FilterOperator, value: unknown): string {
  const isRegex = operator === '=~' || operator === '!~';
  const sign = operator === '=~' ? '==' : operator === '!~' ? '!=' : operator;
  return `${nameText(tag)} ${sign} ${isRegex ? regexText(String(value)) : valueText(value)}`;
}
