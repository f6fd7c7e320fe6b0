import { exitCodes } from '../exit-codes.js';
import { connectionOptions } from '../connection/options.js';
import type { Command } from './command.js';
import { type OptionRecord, type Options, printValue, synopsisOf } from './option.js';
import { globalOptions } from './parse.js';

/** Renders `--help` from the command table. */

/** Help for all commands, a group or one command. */
export async function helpText(of: readonly string[], table: readonly Command[]): Promise<string> {
  const name = of.join(' ');
  const command = table.find((candidate) => candidate.name === name);
  if (command !== undefined) return commandHelp(command);
  return of.length === 0 ? overview(table) : groupHelp(name, table);
}

function overview(table: readonly Command[]): string {
  const codes = Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const);
  return sections([
    ['', ['Millrace: an event store that speaks the Axiom HTTP interface.']],
    ['Usage', ['  millrace COMMAND [ARGUMENTS] [OPTIONS]']],
    ['Commands', columns(table.map(({ name, summary }) => [name, summary]))],
    ['Connection options', optionLines(connectionOptions)],
    ['Exit codes', columns(codes)],
    ['', ['Run millrace COMMAND --help for details.']],
  ]);
}

function groupHelp(group: string, table: readonly Command[]): string {
  const members = table.filter(({ name }) => name.startsWith(`${group} `));
  return sections([
    ['Usage', [`  millrace ${group} COMMAND`]],
    ['Commands', columns(members.map(({ name, summary }) => [name, summary]))],
    ['', [`millrace ${group} COMMAND --help tells more about one command.`]],
  ]);
}

async function commandHelp(command: Command): Promise<string> {
  const { name, summary, description, args, options, remote, examples, raw } = command;
  const listed = raw === undefined ? [] : await raw.listed();
  return sections([
    ['', [summary, ...(description === undefined ? [] : ['', ...wrap(description, 78)])]],
    ['Usage', [`  ${synopsis(command)}`]],
    ['Arguments', columns(Object.entries(args).map(([arg, { doc }]) => [arg.toUpperCase(), doc]))],
    ['Options', columns([...optionRows(options), ...listed, ...optionRows(globalOptions)])],
    ['Server', remote ? optionLines(connectionOptions) : []],
    ['Examples', examples.flatMap(({ command, doc }) => [`  # ${doc}`, `  ${command}`, '']).slice(0, -1)],
    ['', name.includes(' ') ? [`millrace ${name.split(' ')[0]} --help lists related commands.`] : []],
  ]);
}

/** `millrace export APL --output FILE [OPTIONS]` */
export function synopsis({ name, args, options, raw }: Command): string {
  const words = Object.entries(args).map(([arg, { optional }]) =>
    optional === true ? `[${arg.toUpperCase()}]` : arg.toUpperCase(),
  );
  const required = Object.entries(options)
    .filter(([, option]) => option.type === 'text' && option.required === true)
    .map(([option, record]) => synopsisOf(option, record));
  const more = raw !== undefined || Object.keys(options).length > required.length ? ['[OPTIONS]'] : [];
  return ['millrace', name, ...words, ...required, ...more].join(' ');
}

/** `-f, --file FILE` */
export const flagText = (name: string, option: OptionRecord): string =>
  `${option.short === undefined ? '' : `-${option.short}, `}${synopsisOf(name, option)}`;

/** Description of an option, with its default. */
export function optionDoc(option: OptionRecord): string {
  const value = 'default' in option ? option.default : undefined;
  if (value === undefined) return option.type === 'list' ? `${option.doc} May be repeated.` : option.doc;
  return `${option.doc} Default: ${typeof value === 'number' ? printValue(option, value) : value}.`;
}

const optionRows = (options: Options): readonly (readonly [string, string])[] =>
  Object.entries(options).map(([name, option]) => [flagText(name, option), optionDoc(option)]);
const optionLines = (options: Options): readonly string[] => columns(optionRows(options));

const widestLeft = 30;
const lineWidth = 100;

/** Two columns; a wide left cell gets its own line. */
function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.min(widestLeft, Math.max(0, ...rows.map(([left]) => left.length)));
  const indent = ' '.repeat(width + 4);
  return rows.flatMap(([left, right]) => {
    const [first = '', ...more] = wrap(right, lineWidth - indent.length);
    const rest = more.map((line) => indent + line);
    return left.length > width
      ? [`  ${left}`, `${indent}${first}`, ...rest]
      : [`  ${left.padEnd(width)}  ${first}`, ...rest];
  });
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

const sections = (parts: readonly (readonly [title: string, lines: readonly string[]])[]): string =>
  parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${title === '' ? '' : `${title}\n`}${lines.join('\n')}\n`)
    .join('\n');
