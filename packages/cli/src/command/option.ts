import { usage } from '../failure.js';

/** How options are declared and how their texts become values. */

interface Common {
  readonly doc: string;
  /** One letter. */
  readonly short?: string;
}

export type OptionRecord = Common &
  (
    | { readonly type: 'flag' }
    /** `metavar` names the value in the synopsis: `--start TIME`. */
    | { readonly type: 'text'; readonly metavar: string; readonly default?: string; readonly required?: true }
    /** May be given several times. */
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

/** The value of an option: sizes in bytes, durations in milliseconds, lists empty and flags false if not given. */
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

const sizes = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 } as const;
const durations = { '': 1, ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * The value of a text given for an option that is neither a flag nor a list.
 * @throws Failure `usage`
 */
export function parseValue(name: string, option: OptionRecord, text: string): string | number {
  switch (option.type) {
    case 'flag':
      throw usage(`${flagOf(name)} takes no value`);
    case 'text':
    case 'list':
      return text;
    case 'choice':
      if (option.choices.includes(text)) return text;
      throw usage(`${flagOf(name)}: expected one of ${option.choices.join(', ')}, not '${text}'`);
    case 'integer':
      return inRange(name, option, /^-?\d+$/.test(text) ? Number(text) : undefined, `a whole number, not '${text}'`);
    case 'size':
      return inRange(name, option, quantity(text, sizes), `a size such as 512KiB or 4MiB, not '${text}'`);
    case 'duration':
      return inRange(name, option, quantity(text, durations), `a duration such as 30s or 5m, not '${text}'`);
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
    const [min, max] = [printed(option, option.min), printed(option, option.max)];
    throw usage(`${flagOf(name)}: ${printed(option, value)} is out of range, ${min} to ${max}`);
  }
  return value;
}

function quantity(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text);
  const unit = match === null ? undefined : units[match[2]!.toLowerCase()];
  return match === null || unit === undefined ? undefined : Math.floor(Number(match[1]) * unit);
}

/** A number the way it may be written on the command line. */
export function printed({ type }: Pick<OptionRecord, 'type'>, value: number): string {
  const scales =
    type === 'size'
      ? ([
          ['GiB', 1024 ** 3],
          ['MiB', 1024 ** 2],
          ['KiB', 1024],
        ] as const)
      : type === 'duration'
        ? ([
            ['h', 3_600_000],
            ['m', 60_000],
            ['s', 1000],
          ] as const)
        : [];
  const [unit, scale] = scales.find(([, scale]) => value >= scale && value % scale === 0) ?? [
    type === 'duration' ? 'ms' : '',
    1,
  ];
  return `${value / scale}${unit}`;
}
