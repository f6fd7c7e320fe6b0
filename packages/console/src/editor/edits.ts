import { fieldText, stringText } from '../data/apl-text.js';
import { type Cell, textOf } from '../data/results/cells.js';
import type { Outline } from './outline.js';

/** Query edits by click. They preserve comments and line breaks elsewhere. */

/** Formats a value in a query; undefined for one that cannot be, such as a truncated text. */
function literalText(cell: Cell, type: string): string | undefined {
  if (cell === null) return 'null';
  if (typeof cell === 'object') return undefined;
  if (typeof cell !== 'string') return String(cell);
  return type === 'datetime' ? `datetime(${cell})` : type === 'timespan' ? undefined : stringText(cell);
}

/** Condition that a field has, or does not have, a value. */
export function conditionText(field: string, cell: Cell, type: string, how: 'include' | 'exclude'): string | undefined {
  const name = fieldText(field);
  if (cell === null) return how === 'include' ? `isnull(${name})` : `isnotnull(${name})`;
  const literal = literalText(cell, type);
  if (literal === undefined) {
    // An array, an object, or a truncated text.
    const text = textOf(cell);
    const isWhole = typeof cell === 'object' && cell.kind === 'json';
    const test = isWhole
      ? `tostring(${name}) == ${stringText(text)}`
      : `tostring(${name}) startswith_cs ${stringText(text.slice(0, 200))}`;
    return how === 'include' ? test : `not(${test})`;
  }
  return `${name} ${how === 'include' ? '==' : '!='} ${literal}`;
}

/**
 * Adds a condition on events: to the last `where` before rows stop being events, or in a new one.
 */
export function withCondition(text: string, outline: Outline, condition: string): string {
  if (text.slice(0, outline.eventsEnd).trim() === '') return text;
  // Keeps a comment at the end of the line.
  const comment = /^[ \t]*\/\/[^\n]*/.exec(text.slice(outline.eventsEnd))?.[0] ?? '';
  const at = outline.eventsEnd + comment.length;
  const after = text.slice(at).trimStart();
  return `${text.slice(0, at).trimEnd()}\n| where ${condition}${after === '' ? '' : `\n${after}`}`;
}

/** Removes a part: a condition with its `and`, or a whole operator with its pipe. */
export function removeStep(
  text: string,
  outline: Outline,
  at: { readonly start: number; readonly end: number },
): string {
  const step = outline.steps.find(({ start, end }) => start <= at.start && at.end <= end);
  if (step === undefined) return text;
  const index = step.conditions.findIndex(({ start }) => start === at.start);
  if (step.conditions.length > 1 && index >= 0) {
    const [before, after] = [step.conditions[index - 1], step.conditions[index + 1]];
    const [from, to] = before === undefined ? [at.start, after!.start] : [before.end, at.end];
    return text.slice(0, from) + text.slice(to);
  }
  const from = text.lastIndexOf('|', step.start);
  return (text.slice(0, from).trimEnd() + text.slice(step.end)).trim();
}

/** Changes the order. */
export function sortedBy(text: string, outline: Outline, field: string, direction: 'asc' | 'desc'): string {
  const clause = `sort by ${fieldText(field)} ${direction}`;
  const present = outline.steps.findLast(({ kind }) => kind === 'sort');
  if (present !== undefined) return text.slice(0, present.start) + clause + text.slice(present.end);
  return `${text.trimEnd()}\n| ${clause}`;
}

/** Counts by a field; replaces what follows the events. */
export const groupedBy = (text: string, outline: Outline, field: string): string =>
  `${text.slice(0, outline.eventsEnd).trimEnd()}\n| summarize count() by ${fieldText(field)}\n| sort by count_ desc`;

/** A high percentile of a number by a field, as bars; replaces what follows the events. */
export const slowestBy = (text: string, outline: Outline, field: string, by: string): string =>
  `${text.slice(0, outline.eventsEnd).trimEnd()}\n| summarize p95 = percentile(${fieldText(field)}, 95) by ${fieldText(by)}\n| top 20 by p95\n| render barchart`;

const BINS = 20;

/** Distribution of a number over time; replaces what follows the events. */
export const spreadOf = (text: string, outline: Outline, field: string): string =>
  `${text.slice(0, outline.eventsEnd).trimEnd()}\n| summarize histogram(${fieldText(field)}, ${BINS}) by bin_auto(_time)`;

/** Search syntax instead of a condition: `status>=500`, `-level:debug`, `"timed out"`. */
export function conditionFromShorthand(typed: string): string {
  const text = typed.trim();
  const [, minus = '', field, operator, value = ''] = /^(-?)([\w.]+)\s*(>=|<=|!=|==?|>|<|:)\s*(.+)$/s.exec(text) ?? [];
  if (field !== undefined && !/\b(and|or)\b/.test(text)) {
    const bare = /^".*"$|^'.*'$/s.test(value) ? value.slice(1, -1) : value;
    const isValue = /^-?\d+(\.\d+)?$|^(true|false|null)$/.test(value);
    const literal = isValue ? value : stringText(bare);
    if (operator === ':')
      return minus === '-'
        ? `${fieldText(field)} !has ${stringText(bare)}`
        : `${fieldText(field)} has ${stringText(bare)}`;
    const test = `${fieldText(field)} ${operator === '=' ? '==' : operator} ${literal}`;
    return minus === '-' ? `not(${test})` : test;
  }
  return text;
}
