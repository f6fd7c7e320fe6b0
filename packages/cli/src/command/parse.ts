import { parseArgs, type ParseArgsConfig } from 'node:util';
import { connectionOptions } from '../connection/options.js';
import { usage } from '../failure.js';
import type { Command } from './command.js';
import { flagOf, type OptionRecord, type Options, parseValue } from './option.js';
import { didYouMean } from './suggest.js';

/** Result of parsing a command line. */
export type ParsedCommandLine =
  | { readonly kind: 'help'; readonly of: readonly string[] }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'call';
      readonly command: Command;
      readonly args: Readonly<Record<string, string | undefined>>;
      readonly options: Readonly<Record<string, unknown>>;
      readonly rest: readonly string[];
    };

export const globalOptions = {
  help: { type: 'flag', short: 'h', doc: 'Show help for the command.' },
} as const satisfies Options;

/** All options of a command, including those of the connection. */
export const optionsOf = ({ options, remote }: Command): Options => ({
  ...options,
  ...(remote ? connectionOptions : {}),
  ...globalOptions,
});

/**
 * Parses a command line against the table.
 * @throws Failure `usage` with a suggestion
 */
export function parse(argv: readonly string[], table: readonly Command[]): ParsedCommandLine {
  const { before, words } = splitOff(argv);
  const [first, second] = words;
  if (before.includes('--version') || before.includes('-v')) return { kind: 'version' };
  if (first === undefined) {
    const stranger = before.find((word) => word !== '--help' && word !== '-h');
    if (stranger !== undefined && isOfServer(stranger))
      throw usage(`expected a command after ${stranger}; try: millrace --help`);
    if (stranger !== undefined)
      throw usage(`unknown option ${stranger}${meantByFlag(stranger, flagsBefore)}; try: millrace --help`);
    return { kind: 'help', of: [] };
  }
  const command = table.find(({ name }) => name === `${first} ${second}`) ?? table.find(({ name }) => name === first);
  if (command === undefined) return groupHelp(first, second, table);
  const rest = [...before, ...words.slice(command.name.split(' ').length)];
  if (command.raw !== undefined) {
    if (rest.includes('--help') || rest.includes('-h')) return { kind: 'help', of: command.name.split(' ') };
    return { kind: 'call', command, args: {}, options: {}, rest };
  }
  return parseCall(command, rest);
}

/** Connection options, which may precede the command. */
const serverFlags: readonly string[] = Object.entries(connectionOptions).flatMap(([name, option]) => [
  flagOf(name),
  ...('short' in option ? [`-${option.short}`] : []),
]);
/** All flags that may precede the command. */
const flagsBefore = [...serverFlags, '--help', '-h', '--version', '-v'];

const isOfServer = (word: string): boolean => serverFlags.includes(word.split('=')[0]!);

/** Splits off the options before the command. Connection options take a value. */
function splitOff(argv: readonly string[]): { readonly before: readonly string[]; readonly words: readonly string[] } {
  let at = 0;
  while (at < argv.length && argv[at]!.startsWith('-')) at += serverFlags.includes(argv[at]!) ? 2 : 1;
  return { before: argv.slice(0, at), words: argv.slice(at) };
}

function groupHelp(first: string, second: string | undefined, table: readonly Command[]): ParsedCommandLine {
  const group = table.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) {
    const names = new Set(table.map(({ name }) => name.split(' ')[0]!));
    throw usage(`unknown command '${first}'${didYouMean(first, names)}; millrace --help lists all`);
  }
  if (second === undefined || second === '--help' || second === '-h') return { kind: 'help', of: [first] };
  const names = group.map(({ name }) => name.slice(first.length + 1));
  const meant = didYouMean(second, names) || `; expected one of ${names.join(', ')} after ${first}`;
  throw usage(`unknown command '${first} ${second}'${meant}`);
}

function parseCall(command: Command, argv: readonly string[]): ParsedCommandLine {
  const options = optionsOf(command);
  const names = new Map(Object.keys(options).map((name) => [flagOf(name).slice(2), name]));
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options: Object.fromEntries([...names].map(([flag, name]) => [flag, configOf(options[name]!)])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const name = names.get(token.name);
    if (name === undefined) throw unknownOption(command, token.rawName, options);
    const option = options[name]!;
    if (option.type === 'flag') {
      if (token.value !== undefined) throw usage(`${token.rawName} takes no value`);
      values[name] = true;
    } else if (token.value === undefined) {
      throw usage(`${token.rawName}: expected a value`);
    } else if (option.type === 'list') {
      const before = (values[name] as readonly string[] | undefined) ?? [];
      values[name] = [...before, parseValue(name, option, token.value)];
    } else {
      values[name] = parseValue(name, option, token.value);
    }
  }
  if (values['help'] === true) return { kind: 'help', of: command.name.split(' ') };
  for (const [name, option] of Object.entries(options)) values[name] ??= absent(command, name, option);
  return { kind: 'call', command, args: positional(command, positionals), options: values, rest: [] };
}

const configOf = (option: OptionRecord): NonNullable<ParseArgsConfig['options']>[string] => ({
  type: option.type === 'flag' ? 'boolean' : 'string',
  multiple: true,
  ...(option.short !== undefined && { short: option.short }),
});

function absent(command: Command, name: string, option: OptionRecord): unknown {
  if (option.type === 'flag') return false;
  if (option.type === 'list') return [];
  if ('required' in option && option.required === true) {
    throw usage(`missing ${flagOf(name)}; see millrace ${command.name} --help`);
  }
  return option.default;
}

function unknownOption(command: Command, flag: string, options: Options): Error {
  const known = Object.entries(options).flatMap(([name, { short }]) => [
    flagOf(name),
    ...(short === undefined ? [] : [`-${short}`]),
  ]);
  const why = isOfServer(flag) ? `; millrace ${command.name} talks to no server` : meantByFlag(flag, known);
  return usage(`unknown option ${flag}${why}; millrace ${command.name} --help lists all`);
}

/**
 * `; did you mean --file?`, or an empty string. Single letters are all within one edit of each
 * other, so only a letter in the other case is suggested.
 */
function meantByFlag(flag: string, known: readonly string[]): string {
  if (flag.startsWith('--'))
    return didYouMean(
      flag,
      known.filter((each) => each.startsWith('--')),
    );
  const other = known.find((each) => each !== flag && each.toLowerCase() === flag.toLowerCase());
  return other === undefined ? '' : `; did you mean ${other}?`;
}

function positional(command: Command, given: readonly string[]): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(command.args);
  const missing = entries.slice(given.length).find(([, { optional }]) => optional !== true);
  if (missing !== undefined) throw usage(`${missing[0].toUpperCase()} is missing; millrace ${command.name} --help`);
  // An empty argument is most likely an unset shell variable. As a directory it would mean the
  // current one.
  const empty = entries.find(([, { optional }], i) => optional !== true && given[i] === '');
  if (empty !== undefined) throw usage(`${empty[0].toUpperCase()} is an empty text; millrace ${command.name} --help`);
  const surplus = given[entries.length];
  if (surplus !== undefined) {
    throw usage(`unexpected argument '${surplus}'${meantBySurplus(command)}; millrace ${command.name} --help`);
  }
  return Object.fromEntries(entries.map(([name], i) => [name, given[i]]));
}

/** Suggests the intended use of a surplus argument. */
function meantBySurplus({ args, options }: Command): string {
  if ('apl' in args) return ' (quote a query as one word)';
  return 'file' in options ? ` (a file is named with ${flagOf('file')})` : '';
}
