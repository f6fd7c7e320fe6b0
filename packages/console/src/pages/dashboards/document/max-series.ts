import { type Answer, wasLimited } from '../../../data/results/results.js';
import { textOf } from '../../../data/results/cells.js';
import { fieldText } from '../../../data/apl-text.js';

/** Limits queries of elements to what can be drawn. */

/** More lines are indistinguishable. */
const MAX_SERIES = 100;
/** More groups are unreadable. */
const MAX_GROUPS = 1000;

/** Maximum rows, or lines over time, that an element can draw. */
interface SeriesLimit {
  readonly rows: number;
  readonly cut: 'rows' | 'series';
}

const maxRows = ({ rows }: SeriesLimit): number => Math.min(rows, MAX_GROUPS);

/**
 * Limits a query to one group or series more than can be drawn, which shows whether there are more.
 * Aggregations have no built-in limit. After a `summarize` by time, `take` limits series; after a
 * `where`, rows.
 */
export function withLimit(apl: string, limit: SeriesLimit): string {
  const { step, end } = partsOf(apl);
  const last = apl.slice(step, end);
  if (!/^\|\s*summarize\b/.test(last)) return apl;
  const by = groupsIn(last);
  const isOverTime = by.some(isBin);
  // Numbers by time alone are one series, which is drawn completely.
  if (isOverTime && by.every(isBin)) return apl;
  const take = !isOverTime
    ? `take ${maxRows(limit) + 1}`
    : limit.cut === 'series'
      ? `take ${MAX_SERIES + 1}`
      : `where true\n| take ${maxRows(limit) + 1}`;
  return `${apl.slice(0, end).trimEnd()}\n| ${take}\n${apl.slice(end)}`.trimEnd();
}

/** Number of rows shown if a result has more; undefined if it has all. */
export function cutAt(answer: Answer, limit: SeriesLimit): number | undefined {
  const { rows, head } = answer.table;
  if (wasLimited(answer)) return rows;
  const isOverTime = limit.cut === 'series' && head.buckets !== undefined;
  return !isOverTime && head.groups.length > 0 && rows > maxRows(limit) ? maxRows(limit) : undefined;
}

/**
 * Query for the largest series only, if a result has more than can be drawn. Ranks by the sum of
 * their first value, as the chart does.
 */
export function largestSeries(apl: string, { table }: Answer): string | undefined {
  const { fields, groups, buckets } = table.head;
  if (buckets === undefined) return undefined;
  const names = groups.map(({ name }) => name).filter((name) => name !== buckets.field);
  const value = fields.find(({ name, type }) => !names.includes(name) && /^(integer|float)/.test(type));
  if (names.length === 0 || value === undefined || seriesIn(table, names) <= MAX_SERIES) return undefined;
  const { start, end } = partsOf(apl);
  // Groups without a value form a series too, which `in` would not match.
  const key = `strcat(${names.map((name) => `tostring(${fieldText(name)})`).join(String.raw`, '\u0001', `)}, '')`;
  const size = `sum(abs(${fieldText(value.name)}))`;
  const ranked = `_series | summarize _size = ${size} by _key = ${key} | top ${MAX_SERIES} by _size | project _key`;
  return `${apl.slice(0, start)}let _series = (${apl.slice(start, end).trim()}\n);\n_series | where ${key} in ((${ranked}))`;
}

function seriesIn(table: Answer['table'], names: readonly string[]): number {
  const columns = table.columns.filter((_, index) => names.includes(table.head.fields[index]!.name));
  const keys = new Set<string>();
  for (let row = 0; row < table.rows && keys.size <= MAX_SERIES; row++)
    keys.add(columns.map((cells) => (cells[row] === null ? '' : textOf(cells[row]!))).join('\u0001'));
  return keys.size;
}

const QUOTED = /\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|@?'(?:[^'\\\n]|\\.)*'/g;
/** Stands for text in parentheses. */
const CALL = '\u0001';

/** Grouping of an operator, without the content of parentheses and quotes. */
function groupsIn(step: string): readonly string[] {
  let text = step.replaceAll(QUOTED, "''");
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(/\([^()]*\)/g, CALL);
  }
  return /\bby\b([^]*)$/.exec(text)?.[1]?.split(',') ?? [];
}

const isBin = (group: string): boolean => new RegExp(`(^|=)\\s*bin(_auto)?\\s*${CALL}`).test(group);

const TOKEN = /\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|@?'(?:[^'\\\n]|\\.)*'|[;|()]/g;

/** The last operator of a query with its groups, and the text before; a `render` is left out. */
export function lastStep(apl: string): {
  readonly before: string;
  readonly step: string;
  readonly groups: readonly string[];
} {
  const { step, end } = partsOf(apl);
  const text = apl.slice(step, end);
  return { before: apl.slice(0, step), step: text, groups: writtenGroups(text) };
}

/** Groups as written, split at commas outside of parentheses. */
function writtenGroups(step: string): readonly string[] {
  const count = groupsIn(step).length;
  if (count === 0) return [];
  const [, text = ''] = /\bby\b(?![\s\S]*\bby\b)([\s\S]*)$/.exec(step) ?? [];
  const groups: string[] = [''];
  let depth = 0;
  for (const sign of text) {
    if (sign === '(') depth++;
    else if (sign === ')') depth--;
    if (sign === ',' && depth === 0) groups.push('');
    else groups[groups.length - 1] += sign;
  }
  return groups;
}

/** Start of the last statement, start and end of its last operator: a `render` stays at the end. */
function partsOf(apl: string): { readonly start: number; readonly step: number; readonly end: number } {
  let [start, depth, step, before] = [0, 0, 0, 0];
  for (const { 0: token, index } of apl.matchAll(TOKEN)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (token === ';' && depth === 0) start = step = before = index + 1;
    else if (token === '|' && depth === 0) [before, step] = [step, index];
  }
  return /^\|\s*render\b/.test(apl.slice(step)) ? { start, step: before, end: step } : { start, step, end: apl.length };
}
