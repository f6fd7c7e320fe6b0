import { type Cell, textOf } from '../data/results/cells.js';
import type { FieldRoles } from './field-roles.js';
import type { RowField } from './row-source.js';

/** Well-known field names. */

const MESSAGES = ['msg', 'message', 'body', 'log', 'event.message', 'log.message', 'text', 'name'];
const LEVELS = ['level', 'severity_text', 'severity', 'log.level', 'levelname', 'lvl'];
const LONGEST = 24;

/** Spellings count as one: `LogLevel` and `log.level`, `Message` and `message`. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** Whether a spelling of one of the names may begin with a character. */
function initialsOf(names: readonly string[]): readonly boolean[] {
  const letters = new Set(names.map((name) => name[0]));
  return Array.from({ length: 128 }, (_, code) => {
    const letter = String.fromCharCode(code).toLowerCase();
    return letters.has(letter) || !/[a-z]/.test(letter);
  });
}

/** The first known name among the fields; the exact spelling before others. */
function firstOf(names: readonly string[], fields: readonly { readonly name: string }[]): string | undefined {
  const rank = new Map(names.map((name, index) => [plainName(name), index]));
  const initials = initialsOf(names);
  let best: { readonly rank: number; readonly name: string } | undefined;
  for (const { name } of fields) {
    // A dataset may have a hundred thousand names: most are skipped by length and first letter.
    if (name.length > LONGEST || !initials[name.charCodeAt(0)]) continue;
    const found = rank.get(plainName(name));
    if (found === undefined) continue;
    if (best === undefined || found < best.rank || (found === best.rank && name === names[found]))
      best = { rank: found, name };
  }
  return best?.name;
}

type Fields = readonly { readonly name: string }[];

/** The field that was chosen for a dataset, if the fields have it. */
const chosenOf = (role: keyof FieldRoles, roles: FieldRoles | undefined, fields: Fields): string | undefined =>
  fields.some(({ name }) => name === roles?.[role]) ? roles?.[role] : undefined;

export const messageField = (fields: readonly RowField[], roles?: FieldRoles): string | undefined =>
  chosenOf('message', roles, fields) ?? firstOf(MESSAGES, fields);
export const levelField = (fields: readonly RowField[], roles?: FieldRoles): string | undefined =>
  chosenOf('level', roles, fields) ?? firstOf(LEVELS, fields);

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
export const splitField = (fields: Fields, roles?: FieldRoles): string | undefined =>
  chosenOf('level', roles, fields) ??
  firstOf(['level', 'severity_text', 'log.level', 'levelname', 'status.code', 'status'], fields);

const NUMBERS = new Set(['integer', 'float', 'timespan']);

/** Whether all values of a column are numbers, which are right-aligned. */
export const isNumber = (type: string): boolean => type.split('|').every((each) => NUMBERS.has(each));
