import type { Answer } from '../../data/answers/answers.js';
import { textOf } from '../../data/answers/cells.js';
import { fieldText } from '../../data/apl-text.js';

/** Queries of charts over time, so that no more leaves the engine than can be drawn. */

/** More lines than that nobody can tell apart. */
const MOST_SERIES = 100;

/** The query for one series more than can be drawn: `take` behind a `summarize` over time is about series. Others are asked as they are. */
export function withMostSeries(apl: string): string {
  const { step, end } = partsOf(apl);
  const last = apl.slice(step, end);
  if (!/^\|\s*summarize\b[^]*\bbin(_auto)?\s*\(/.test(last)) return apl;
  return `${apl.slice(0, end).trimEnd()}\n| take ${MOST_SERIES + 1}\n${apl.slice(end)}`.trimEnd();
}

/**
 * The query for the largest series alone, if an answer has more than can be drawn. The engine ranks them by the sum of their first value, as the chart
 * does.
 */
export function largestSeries(apl: string, { table }: Answer): string | undefined {
  const { fields, groups, buckets } = table.head;
  const names = groups.map(({ name }) => name).filter((name) => name !== (buckets?.field ?? '_time'));
  const value = fields.find(({ name, type }) => !names.includes(name) && /^(integer|float)/.test(type));
  if (names.length === 0 || value === undefined || seriesIn(table, names) <= MOST_SERIES) return undefined;
  const { start, end } = partsOf(apl);
  // Groups without a value have a series too, which `in` would not find.
  const key = `strcat(${names.map((name) => `tostring(${fieldText(name)})`).join(String.raw`, '\u0001', `)}, '')`;
  const size = `sum(abs(${fieldText(value.name)}))`;
  const ranked = `_series | summarize _size = ${size} by _key = ${key} | top ${MOST_SERIES} by _size | project _key`;
  return `${apl.slice(0, start)}let _series = (${apl.slice(start, end).trim()}\n);\n_series | where ${key} in ((${ranked}))`;
}

function seriesIn(table: Answer['table'], names: readonly string[]): number {
  const columns = table.columns.filter((_, index) => names.includes(table.head.fields[index]!.name));
  const keys = new Set<string>();
  for (let row = 0; row < table.rows && keys.size <= MOST_SERIES; row++)
    keys.add(columns.map((cells) => (cells[row] === null ? '' : textOf(cells[row]!))).join('\u0001'));
  return keys.size;
}

const TOKEN = /\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|@?'(?:[^'\\\n]|\\.)*'|[;|()]/g;

/** Where the last statement begins, where its last step does, and where it ends: a `render` stays behind what is added. */
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
