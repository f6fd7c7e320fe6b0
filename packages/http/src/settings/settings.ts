import { findNearest } from '@millrace/apl/suggestions';
import { clickhouseProblems, isReplicated } from './clickhouse-settings.js';
import { coldProblems } from './tiering-settings.js';
import { nodeProblems } from './node-settings.js';
import { settingsTable } from './settings-table.js';
import { machineMemory } from './machine-memory.js';
import { defaultOf, parseSetting, type SettingRecord, type ValueOf } from './setting-types.js';
import { sizeText } from './setting-units.js';

export type SettingName = keyof typeof settingsTable;
export type Settings = { readonly [K in SettingName]: ValueOf<(typeof settingsTable)[K]> };

type SettingsResult =
  | {
      readonly ok: true;
      readonly settings: Settings;
      /**
       * The flag or variable that the operator used for a setting, for later errors about its
       * value.
       */
      readonly where: (name: SettingName) => string;
    }
  /** One line per error: its place, and the expected value. */
  | { readonly ok: false; readonly errors: readonly string[] };

/** Lifetime and quotas of sessions and sign-in codes. */
export const sessionLimits = (settings: Settings) => ({
  idle: settings.sessionIdle,
  longest: settings.sessionLongest,
  tokensRest: settings.ssoTokensRest,
  maxPerToken: settings.tokenSessions,
  maxTotal: settings.maxSessions,
  maxCodesPerToken: settings.tokenSignInCodes,
  maxCodes: settings.maxSignInCodes,
});

/** `requestsPerMinute` → `--requests-per-minute`. */
export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
/** `requestsPerMinute` → `MILLRACE_REQUESTS_PER_MINUTE`. */
export const variableOf = (name: string): string =>
  `MILLRACE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** An invalid value that is detected when it is used, such as a missing file. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
  readonly setting: SettingName;
  readonly problem: string;

  constructor(setting: SettingName, problem: string, options?: { readonly cause: unknown }) {
    super(`${variableOf(setting)}: ${problem}`, options);
    this.setting = setting;
    this.problem = problem;
  }
}

type SuppliedSettings = ReadonlyMap<SettingName, { readonly where: string; readonly text: string }>;

const entries = Object.entries(settingsTable) as readonly [SettingName, SettingRecord][];

/**
 * Reads all settings. Flags are `--name value`, `--name=value`, or for a boolean `--name` and
 * `--no-name`; flags win over the environment, and an empty environment variable counts as unset.
 * All errors are reported at once. Some defaults are lower on machines with little memory.
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
  memoryBytes: number = machineMemory(),
): SettingsResult {
  const errors: string[] = [];
  const given = new Map<SettingName, { readonly where: string; readonly text: string }>();
  for (const [name] of entries) {
    const text = env[variableOf(name)];
    if (text !== undefined && text !== '') given.set(name, { where: variableOf(name), text });
  }
  for (const variable of Object.keys(env)) {
    if (variable.startsWith('MILLRACE_') && !entries.some(([name]) => variableOf(name) === variable)) {
      errors.push(unknown(variable, variable.slice('MILLRACE_'.length).toLowerCase().replaceAll('_', '-'), variableOf));
    }
  }
  readFlags(argv, given, errors);

  const values: Record<string, unknown> = {};
  for (const [name, record] of entries) {
    const source = given.get(name);
    const parsed = source === undefined ? { value: defaultOf(record, memoryBytes) } : parseSetting(record, source.text);
    if ('value' in parsed) values[name] = parsed.value;
    else errors.push(`${source?.where}: expected ${parsed.expected}${record.secret ? '' : `, not '${source?.text}'`}`);
  }
  const settings = values as unknown as Settings;
  if (errors.length === 0) errors.push(...contradictions(settings, given));
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, settings: Object.freeze(settings), where: (name) => given.get(name)?.where ?? variableOf(name) };
}

/** Default settings with some values replaced, for embedding and tests. */
export const defaultSettings = (changes: Partial<Settings> = {}): Settings =>
  Object.freeze({
    ...(Object.fromEntries(entries.map(([name, { default: value }]) => [name, value])) as unknown as Settings),
    ...changes,
  });

function readFlags(
  argv: readonly string[],
  given: Map<SettingName, { where: string; text: string }>,
  errors: string[],
): void {
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i]!;
    const [flag, inline] = split(argument);
    const [name, record] = entries.find(([name]) => flagOf(name) === flag) ?? [];
    const [negated] = entries.find(([name, { type }]) => type === 'boolean' && switches(name)[1] === flag) ?? [];
    const switched = negated ?? (record?.type === 'boolean' ? name : undefined);
    if (inline === undefined && switched !== undefined) {
      given.set(switched, { where: flag, text: String(negated === undefined) });
      // The value must not be read as another setting, nor silently ignored.
      if (argv[i + 1]?.startsWith('-') === false) {
        const [yes, no] = switches(switched);
        errors.push(`${flag}: a switch is written ${yes} or ${no}, or with = before its value`);
        i++;
      }
    } else if (name === undefined) {
      errors.push(flag.startsWith('-') ? unknownFlag(flag) : `${flag}: a setting is written --name value`);
      // The next argument is its value: report one error only.
      if (inline === undefined && argv[i + 1]?.startsWith('-') === false) i++;
    } else if (inline !== undefined) given.set(name, { where: flag, text: inline });
    else if (i + 1 < argv.length) given.set(name, { where: flag, text: argv[++i]! });
    else errors.push(`${flag}: expected a value`);
  }
}

/** The two flags of a setting that is on or off. */
const switches = (name: string): readonly [string, string] => [flagOf(name), flagOf(name).replace('--', '--no-')];

const unknownFlag = (flag: string): string => unknown(flag, flag.replace(/^-+/, ''), flagOf);

/**
 * Error for an unknown setting.
 * @param written its name in the form of flags, without dashes
 * @param as formats the suggested name
 */
function unknown(where: string, written: string, as: (name: string) => string): string {
  const names = new Map<string, string>(entries.map(([name]) => [flagOf(name).slice(2), name]));
  const meant = names.get(findNearest(written, names.keys()) ?? '');
  return `${where}: no such setting; ${meant === undefined ? 'see docs/settings.md' : `did you mean ${as(meant)}?`}`;
}

function split(argument: string): readonly [string, string | undefined] {
  const at = argument.indexOf('=');
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}

/** Settings that make no sense together. */
function contradictions(settings: Settings, given: SuppliedSettings): readonly string[] {
  const found: string[] = [];
  /** As flags if one of them was a flag, so that both are easy to find. */
  const writeNames = (...names: readonly SettingName[]): readonly string[] =>
    names.map(names.some((name) => given.get(name)?.where.startsWith('--')) ? flagOf : variableOf);
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    found.push(`${writeNames('tlsCert', 'tlsKey').join(' and ')}: set both or none`);
  }
  if (settings.defaultQueryLimit > settings.maxQueryLimit) {
    const [min, max] = writeNames('defaultQueryLimit', 'maxQueryLimit');
    found.push(`${min}: expected at most ${max} (${settings.maxQueryLimit})`);
  }
  // The log's own rule; its largest batch is smaller than the least that `maxLogBytes` can be.
  if (settings.maxLogBytes < 2 * settings.logSegmentBytes) {
    const [log, segment] = writeNames('maxLogBytes', 'logSegmentBytes');
    found.push(`${log}: expected at least ${sizeText(2 * settings.logSegmentBytes)}, twice ${segment}`);
  }
  for (const [name, problem] of clickhouseProblems(settings.clickhouseUrl, (name) => given.has(name)))
    found.push(`${given.get(name)?.where ?? variableOf(name)}: ${problem}`);
  for (const [name, problem] of nodeProblems(settings.nodes, (name) => given.has(name)))
    found.push(`${given.get(name)?.where ?? variableOf(name)}: ${problem}`);
  for (const [name, problem] of coldProblems(
    (name) => given.has(name) && settings[name] !== false,
    isReplicated(settings.clickhouseUrl ?? ''),
  ))
    found.push(`${given.get(name)?.where ?? variableOf(name)}: ${problem}`);
  return found;
}
