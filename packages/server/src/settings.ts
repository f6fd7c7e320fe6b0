import { settingsTable } from './settings-table.js';
import { parseSetting, type SettingRecord, type ValueOf } from './setting-types.js';

export type SettingName = keyof typeof settingsTable;
export type Settings = { readonly [K in SettingName]: ValueOf<(typeof settingsTable)[K]> };

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  /** One line a mistake: where it was made, what was expected. */
  | { readonly ok: false; readonly errors: readonly string[] };

/** `requestsPerMinute` → `--requests-per-minute`. */
export const flagOf = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
/** `requestsPerMinute` → `MILLRACE_REQUESTS_PER_MINUTE`. */
export const variableOf = (name: string): string =>
  `MILLRACE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const entries = Object.entries(settingsTable) as readonly [SettingName, SettingRecord][];

/**
 * Reads all settings. Flags are `--name value`, `--name=value`, or for a boolean `--name` and `--no-name`; flags win over the environment, and an
 * empty environment variable counts as not set. All mistakes are reported at once.
 */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): SettingsResult {
  const errors: string[] = [];
  const given = new Map<SettingName, { readonly where: string; readonly text: string }>();
  for (const [name] of entries) {
    const text = env[variableOf(name)];
    if (text !== undefined && text !== '') given.set(name, { where: variableOf(name), text });
  }
  for (const variable of Object.keys(env)) {
    if (variable.startsWith('MILLRACE_') && !entries.some(([name]) => variableOf(name) === variable)) {
      errors.push(`${variable}: no such setting; see docs/settings.md`);
    }
  }
  readFlags(argv, given, errors);

  const values: Record<string, unknown> = {};
  for (const [name, record] of entries) {
    const source = given.get(name);
    const parsed = source === undefined ? { value: record.default } : parseSetting(record, source.text);
    if ('value' in parsed) values[name] = parsed.value;
    else errors.push(`${source?.where}: expected ${parsed.expected}${record.secret ? '' : `, not '${source?.text}'`}`);
  }
  const settings = values as unknown as Settings;
  if (errors.length === 0) errors.push(...contradictions(settings));
  return errors.length > 0 ? { ok: false, errors } : { ok: true, settings: Object.freeze(settings) };
}

/** The settings of a server that was told nothing, with some of them replaced: for embedding and tests. */
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
    const [negated] =
      entries.find(([name, { type }]) => type === 'boolean' && flagOf(name).replace('--', '--no-') === flag) ?? [];
    if (negated !== undefined && inline === undefined) given.set(negated, { where: flag, text: 'false' });
    else if (name === undefined || record === undefined) {
      errors.push(`${flag}: no such setting; see docs/settings.md`);
      // What follows is its value: one mistake, told once.
      if (inline === undefined && argv[i + 1]?.startsWith('-') === false) i++;
    } else if (inline !== undefined) given.set(name, { where: flag, text: inline });
    else if (record.type === 'boolean') given.set(name, { where: flag, text: 'true' });
    else if (i + 1 < argv.length) given.set(name, { where: flag, text: argv[++i]! });
    else errors.push(`${flag}: expected a value`);
  }
}

function split(argument: string): readonly [string, string | undefined] {
  const at = argument.indexOf('=');
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}

/** Settings that make no sense together. */
function contradictions(settings: Settings): readonly string[] {
  const found: string[] = [];
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    found.push(`${variableOf('tlsCert')} and ${variableOf('tlsKey')}: set both or none`);
  }
  if (settings.defaultQueryLimit > settings.maxQueryLimit) {
    found.push(
      `${variableOf('defaultQueryLimit')}: expected at most ${variableOf('maxQueryLimit')} (${settings.maxQueryLimit})`,
    );
  }
  return found;
}
