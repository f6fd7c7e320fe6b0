import { type Cell, textOf } from '../data/results/cells.js';
import type { RowField } from './row-source.js';

/** Well-known field names. */

const MESSAGES = ['msg', 'message', 'body', 'log', 'event.message', 'text', 'name'];
const LEVELS = ['level', 'severity_text', 'severity', 'log.level', 'lvl'];

const firstOf = (names: readonly string[], fields: readonly RowField[]): string | undefined =>
  names.find((name) => fields.some((each) => each.name === name));

export const messageField = (fields: readonly RowField[]): string | undefined => firstOf(MESSAGES, fields);
export const levelField = (fields: readonly RowField[]): string | undefined => firstOf(LEVELS, fields);

interface Level {
  readonly letter: string;
  readonly tone: 'bad' | 'warn' | 'info' | 'debug';
}

/** Level of a value; letters and stripes indicate it as well as color. */
export function levelOf(cell: Cell): Level | undefined {
  const text = textOf(cell).toLowerCase();
  if (/^(err|error|fatal|crit|critical|panic|alert|emerg)/.test(text)) return { letter: 'E', tone: 'bad' };
  if (text.startsWith('warn')) return { letter: 'W', tone: 'warn' };
  if (/^(info|notice)/.test(text)) return { letter: 'I', tone: 'info' };
  if (text.startsWith('debug')) return { letter: 'D', tone: 'debug' };
  if (text.startsWith('trace')) return { letter: 'T', tone: 'debug' };
  return undefined;
}

/** Default field that splits a histogram. */
export const splitField = (fields: readonly { readonly name: string }[]): string | undefined =>
  ['level', 'severity_text', 'status.code', 'status'].find((name) => fields.some((each) => each.name === name));

const NUMBERS = new Set(['integer', 'float', 'timespan']);

/** Whether all values of a column are numbers, which are right-aligned. */
export const isNumber = (type: string): boolean => type.split('|').every((each) => NUMBERS.has(each));
