/** The options of servers and checks: each with its default and the reason for it. */

export interface WaitOptions {
  /**
   * Milliseconds to wait for events. Default: 4,000, less than the 5 s after which vitest and jest
   * end a test, so that the failure says what arrived. `MILLRACE_TESTING_TIMEOUT` changes it for
   * slow machines.
   */
  readonly timeout?: number;
  /** Minimum number of events to wait for. Default: 1. */
  readonly count?: number;
}

export interface MatchOptions extends WaitOptions {
  /**
   * Milliseconds without a match after which `.not` passes. Default: 1,500, since Axiom's clients
   * and transports send after 1 s; 100 is enough for a program that has flushed.
   */
  readonly settle?: number;
}

export interface MillraceOptions {
  /** Default of `timeout` for all checks. */
  readonly timeout?: number;
  /** Default of `settle` for all checks. */
  readonly settle?: number;
  /**
   * Maximum events of a dataset that a matcher compares, the newest first. Default: 1,000, since a
   * test that needs more should query.
   */
  readonly maxEvents?: number;
  /** Milliseconds until the server must listen. Default: 30,000, for cold disks. */
  readonly startTimeout?: number;
  /** Settings of the server: `{ MILLRACE_MAX_VALUE_BYTES: '1kB' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Path of the command's script. Default: the one of the installed package `millrace`. */
  readonly command?: string;
}

export type Limits = Required<Pick<MillraceOptions, 'timeout' | 'settle' | 'maxEvents' | 'startTimeout'>>;

const defaults = (): Limits => ({
  timeout: Number(process.env['MILLRACE_TESTING_TIMEOUT'] ?? 4000),
  settle: 1500,
  maxEvents: 1000,
  startTimeout: 30_000,
});

/** @throws TypeError if an option is not a positive number */
export function limitsOf(options: MillraceOptions): Limits {
  const { timeout, settle, maxEvents, startTimeout } = { ...defaults(), ...withoutUndefined(options) };
  return checkPositive({ timeout, settle, maxEvents, startTimeout });
}

export interface Check {
  readonly timeout: number;
  readonly settle: number;
  readonly count: number;
}

/** @throws TypeError if an option is not a positive number */
export function checkOf(options: MatchOptions, { timeout, settle }: Limits): Check {
  const given = { timeout, settle, count: 1, ...withoutUndefined(options) };
  return checkPositive({ timeout: given.timeout, settle: given.settle, count: given.count });
}

const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;

function checkPositive<T extends Readonly<Record<string, number>>>(options: T): T {
  for (const [name, value] of Object.entries(options))
    if (typeof value !== 'number' || !(value > 0))
      throw new TypeError(`option ${name} is ${String(value)}; use a number above 0`);
  return options;
}
