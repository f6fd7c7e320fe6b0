import { bytesIn, durationText, millisecondsIn, sizeText } from './setting-units.js';

/** Declaration and parsing of settings. */

interface Common {
  readonly doc: string;
  /** Reason for the default. */
  readonly reason: string;
  /** Never shown or logged. */
  readonly secret?: true;
}

export type SettingRecord = Common &
  (
    | {
        readonly type: 'text';
        readonly default: string | undefined;
        readonly pattern?: RegExp;
        readonly expected?: string;
      }
    | {
        readonly type: 'list';
        readonly default: readonly string[];
        /** Pattern of each element. */
        readonly pattern?: { test(item: string): boolean };
        readonly expected?: string;
      }
    | { readonly type: 'boolean'; readonly default: boolean }
    | { readonly type: 'choice'; readonly choices: readonly string[]; readonly default: string }
    | {
        readonly type: 'integer' | 'bytes' | 'duration';
        readonly default: number;
        readonly min: number;
        readonly max: number;
        /** Part of the memory of the machine or container that the default does not exceed. */
        readonly memoryShare?: number;
      }
  );

/** The default of a setting on a machine with this many bytes of memory. */
export function defaultOf(record: SettingRecord, memoryBytes: number): SettingRecord['default'] {
  if (!('memoryShare' in record) || record.memoryShare === undefined) return record.default;
  return Math.max(record.min, Math.min(record.default, Math.floor(record.memoryShare * memoryBytes)));
}

export type ValueOf<S> = S extends { type: 'text'; default: infer D }
  ? D extends string
    ? string
    : string | undefined
  : S extends { type: 'list' }
    ? readonly string[]
    : S extends { type: 'boolean' }
      ? boolean
      : S extends { type: 'choice'; choices: readonly (infer C)[] }
        ? C
        : number;

type Value = string | number | boolean | readonly string[] | undefined;
type ParseResult = { readonly value: Value } | { readonly expected: string };

/** No object: it would have a value for `constructor` too. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['yes', true],
  ['no', false],
  ['on', true],
  ['off', false],
  ['1', true],
  ['0', false],
]);

/** Every text that a boolean accepts, in any case. */
export const booleanTexts: readonly string[] = [...booleans.keys()];

/**
 * Parses the text of a flag or environment variable (bytes; durations in milliseconds); returns a
 * description of the expected text if it is invalid.
 */
export function parseSetting(record: SettingRecord, text: string): ParseResult {
  switch (record.type) {
    case 'text':
      // The shell expansion of an unset variable: as a directory it would mean the current one, as
      // a host every address.
      if (text === '') return { expected: record.expected ?? 'a value' };
      return record.pattern === undefined || record.pattern.test(text)
        ? { value: text }
        : { expected: record.expected ?? `text like ${String(record.pattern)}` };
    case 'list': {
      const value = text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
      const { pattern, expected = `a list of ${String(pattern)}` } = record;
      return pattern === undefined || value.every((item) => pattern.test(item)) ? { value } : { expected };
    }
    case 'boolean': {
      const value = booleans.get(text.toLowerCase());
      return value === undefined ? { expected: `one of ${booleanTexts.join(', ')}` } : { value };
    }
    case 'choice':
      return record.choices.includes(text) ? { value: text } : { expected: `one of ${record.choices.join(', ')}` };
    case 'integer':
      return inRange(record, /^-?\d+$/.test(text) ? Number(text) : undefined, 'a whole number', String);
    case 'bytes':
      return inRange(record, bytesIn(text), 'a number of bytes such as 1048576, 512KiB or 64MiB', sizeText);
    case 'duration':
      return inRange(record, millisecondsIn(text), 'a duration such as 500ms, 30s or 5m', durationText);
  }
}

function inRange(
  record: { readonly min: number; readonly max: number },
  value: number | undefined,
  what: string,
  written: (value: number) => string,
): ParseResult {
  return value !== undefined && value >= record.min && value <= record.max
    ? { value }
    : { expected: `${what}, from ${written(record.min)} to ${written(record.max)}` };
}
