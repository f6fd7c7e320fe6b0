import { bytesIn, durationText, millisecondsIn, sizeText } from '@millrace/http/settings/setting-units';
import { usage } from '../failure.js';

/** Option declarations and value parsing. */

interface Common {
  readonly doc: string;
  readonly short?: string;
}

export type OptionRecord = Common &
  (
    | { readonly type: 'flag' }
    /** `metavar` names the value in the synopsis: `--start TIME`. */
    | {
        readonly type: 'text';
        readonly metavar: string;
        readonly default?: string;
        readonly required?: true;
        /**
         * Accepts an empty string. For other options an empty string is most likely an unset shell
         * variable and is rejected.
         */
        readonly mayBeEmpty?: true;
      }
    /** Repeatable. */
    | { readonly type: 'list'; readonly metavar: string }
    | { readonly type: 'choice'; readonly choices: readonly string[]; readonly default?: string }
    | {
        readonly type: 'integer' | 'size' | 'duration';
        readonly default?: number;
        readonly min: number;
        readonly max: number;
      }
  );

export type Options = Readonly<Record<string, OptionRecord>>;

/**
 * Type of an option's value: sizes in bytes, durations in milliseconds. Defaults to an empty list
 * or false.
 */
export type ValueOf<O> = O extends { type: 'flag' }
  ? boolean
  : O extends { type: 'list' }
    ? readonly string[]
    : O extends { type: 'choice'; choices: readonly (infer C)[] }
      ? O extends { default: string }
        ? C
        : C | undefined
      : O extends { type: 'text' }
        ? O extends { required: true } | { default: string }
          ? string
          : string | undefined
        : O extends { default: number }
          ? number
          : number | undefined;

/** `csvFields` → `--csv-fields`. */
export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** `--start TIME`, `--type json|csv`, `--force`. */
export function synopsisOf(name: string, option: OptionRecord): string {
  const value = valueName(option);
  return value === '' ? flagOf(name) : `${flagOf(name)} ${value}`;
}

function valueName(option: OptionRecord): string {
  switch (option.type) {
    case 'flag':
      return '';
    case 'text':
    case 'list':
      return option.metavar;
    case 'choice':
      return option.choices.join('|');
    case 'integer':
      return 'N';
    case 'size':
      return 'SIZE';
    case 'duration':
      return 'DURATION';
  }
}

/**
 * Parses one value of an option that is not a flag.
 * @throws Failure `usage`
 */
export function parseValue(name: string, option: OptionRecord, text: string): string | number {
  switch (option.type) {
    case 'flag':
      throw usage(`${flagOf(name)} takes no value`);
    case 'text':
    case 'list':
      if (text === '' && !('mayBeEmpty' in option)) throw usage(`${flagOf(name)}: expected a value, not ''`);
      return text;
    case 'choice':
      if (option.choices.includes(text)) return text;
      throw usage(`${flagOf(name)}: expected one of ${option.choices.join(', ')}, not '${text}'`);
    case 'integer':
      return inRange(name, option, /^-?\d+$/.test(text) ? Number(text) : undefined, `a whole number, not '${text}'`);
    case 'size':
      return inRange(name, option, bytesIn(text), `a size such as 512KiB or 4MiB, not '${text}'`);
    case 'duration':
      return inRange(name, option, millisecondsIn(text), `a duration such as 30s or 5m, not '${text}'`);
  }
}

function inRange(
  name: string,
  option: Extract<OptionRecord, { readonly min: number }>,
  value: number | undefined,
  expected: string,
): number {
  if (value === undefined) throw usage(`${flagOf(name)}: expected ${expected}`);
  if (value < option.min || value > option.max) {
    const [min, max] = [printValue(option, option.min), printValue(option, option.max)];
    throw usage(`${flagOf(name)}: ${printValue(option, value)} is out of range, ${min} to ${max}`);
  }
  return value;
}

/** Formats a number as it may be written on the command line. */
export function printValue({ type }: Pick<OptionRecord, 'type'>, value: number): string {
  if (type === 'size') return sizeText(value);
  return type === 'duration' ? durationText(value) : String(value);
}
