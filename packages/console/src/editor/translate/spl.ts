import { datasetText, fieldText, stringText } from '../../data/apl-text.js';
import { searchToApl } from '../search-syntax.js';
import { durationText } from './durations.js';
import { type Dialect, type Expression, expressionReader } from './expressions.js';
import type { SourceNames } from './languages.js';
import { namesOf, type AplName } from './names.js';
import { splAggregate, splCall } from './spl-functions.js';
import { TokenReader } from './tokens.js';
import { TranslationError } from './translation-error.js';

/** SPL: a search and commands after pipes. */

/** What reads the arguments of a command. */
interface Arguments {
  readonly reader: TokenReader;
  readonly text: string;
  readonly expression: (level?: number) => Expression;
  readonly name: (name: string) => AplName;
}

type Command = (args: Arguments) => readonly string[];

/** Commands by name. Adding one is a line. */
const commands: Readonly<Record<string, Command>> = {
  search: ({ text }) => searchSteps(text, undefined, 'x').steps,
  where: ({ expression }) => [`where ${expression().apl}`],
  eval: (args) => [`extend ${assignments(args).join(', ')}`],
  stats: (args) => [summary(aggregatesIn(args), fieldsAfter(args, 'by'))],
  chart: (args) => {
    const aggregates = aggregatesIn(args);
    const over = fieldsAfter(args, 'over');
    return [summary(aggregates, [...over, ...fieldsAfter(args, 'by')])];
  },
  timechart: (args) => {
    const { span } = optionsIn(args, ['span', 'limit', 'useother', 'usenull', 'bins']);
    const bin = span === undefined ? 'bin_auto(_time)' : `bin(_time, ${spanText(span)})`;
    return [summary(aggregatesIn(args), [bin, ...fieldsAfter(args, 'by')])];
  },
  top: (args) => mostOf(args, 'desc'),
  rare: (args) => mostOf(args, 'asc'),
  sort: (args) => {
    const count = args.reader.next.kind === 'number' ? args.reader.take().text : undefined;
    const keys: string[] = [];
    do {
      const isDescending = args.reader.acceptAny(['-', '+']) === '-';
      keys.push(`${fieldIn(args)} ${isDescending ? 'desc' : 'asc'}`);
      args.reader.accept(',');
    } while (args.reader.next.kind !== 'end');
    return [`sort by ${keys.join(', ')}`, ...(count === undefined || count === '0' ? [] : [`take ${count}`])];
  },
  head: (args) => [`take ${args.reader.next.kind === 'number' ? args.reader.take().text : '10'}`],
  table: (args) => projectArguments(args, 'project'),
  fields: (args) => {
    const sign = args.reader.acceptAny(['-', '+']);
    return projectArguments(args, sign === '-' ? 'project-away' : 'project');
  },
  rename: (args) => {
    const pairs: string[] = [];
    do {
      const from = fieldIn(args);
      args.reader.expect('as');
      pairs.push(`${fieldText(args.reader.takeKind('name', 'string', 'quoted-name').text)} = ${from}`);
    } while (args.reader.accept(','));
    return [`project-rename ${pairs.join(', ')}`];
  },
  dedup: (args) => [`summarize arg_max(_time, *) by ${fieldsIn(args).join(', ')}`],
  bin: (args) => bucket(args),
  bucket: (args) => bucket(args),
  regex: ({ reader, name }) => {
    const field = reader.takeKind('name').text;
    const isNot = reader.acceptAny(['!=', '=']) === '!=';
    const test = `${name(field).apl} matches regex ${stringText(reader.takeKind('string').text)}`;
    return [`where ${isNot ? `not(${test})` : test}`];
  },
  rex: (args) => {
    const { field } = optionsIn(args, ['field']);
    const regex = args.reader.takeKind('string').text;
    return [`extend ${groupsOf(regex, field === undefined ? undefined : args.name(field).apl, args).join(', ')}`];
  },
  fillnull: (args) => {
    const { value = '0' } = optionsIn(args, ['value']);
    const written = /^-?\d+(\.\d+)?$/.test(value) ? value : stringText(value);
    return [
      `extend ${fieldsIn(args)
        .map((field) => `${field} = coalesce(${field}, ${written})`)
        .join(', ')}`,
    ];
  },
};

/** Whether a word is a command that is translated. */
const isSplCommand = (word: string): boolean => Object.hasOwn(commands, word);

/** @throws TranslationError */
export function splQuery(text: string, names: SourceNames): string {
  const [first = '', ...rest] = partsOf(text);
  const source = names.dataset(searchSteps(first, undefined, '').index);
  const named = namesOf(names.fields(source));
  const all = [...searchSteps(first, names, source).steps];
  for (const part of rest) {
    const [, word = '', args = ''] = /^\s*(\w*)\s*([\s\S]*)$/.exec(part) ?? [];
    const name = word.toLowerCase();
    if (!isSplCommand(name)) throw new TranslationError(`| ${part.trim().slice(0, 40)}`);
    const reader = new TokenReader(args, { strings: '"', names: "'" });
    const dialect: Dialect = { name: named, call: splCall, likeIgnoresCase: true };
    const found = commands[name]!({ reader, text: args, expression: expressionReader(reader, dialect), name: named });
    if (name !== 'search' && reader.next.kind !== 'end') reader.fail();
    all.push(...found);
  }
  return [datasetText(source), ...all].join('\n| ');
}

/** Parts between pipes outside of quotes. */
const partsOf = (text: string): readonly string[] =>
  (text.trim().match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^|"'])+|(?<=\|)(?=\|)/g) ?? []).map((part) => part.trim());

/** Options of a search that choose where and when, which the page does. */
const PLACES = /(?:^|\s)(index|earliest|latest|splunk_server|source(?=\s*=\s*\*))\s*=\s*("[^"]*"|\S+)/gi;

/** A search as steps, and the index that it names. */
function searchSteps(
  text: string,
  names: SourceNames | undefined,
  dataset: string,
): { readonly index: string | undefined; readonly steps: readonly string[] } {
  let index: string | undefined;
  const terms = text
    .replace(/^\s*search\s+/i, '')
    .replaceAll(PLACES, (_all, option: string, value: string) => {
      if (option.toLowerCase() === 'index') index = value.replaceAll('"', '');
      return ' ';
    })
    .replaceAll(
      /([\w.@]+)\s+IN\s*\(([^)]*)\)/gi,
      (_all, field: string, values: string) =>
        `(${values
          .split(',')
          .map((value) => `${field}=${value.trim()}`)
          .join(' OR ')})`,
    )
    // Wildcards and texts compare regardless of case.
    .replaceAll(/([\w.@]+)\s*=\s*(?=[^\s"=]*\*)/g, '$1:')
    .replaceAll(/([\w.@]+)\s*=\s*(?="|[^\s"=\d-])/g, (_all, field: string) => `${field}=~`)
    .replaceAll(/([\w.@]+)\s*(!=|>=|<=|=|>|<)\s*(?=[-\d])/g, '$1$2')
    .trim();
  if (terms === '' || terms === '*') return { index, steps: [] };
  const known = names?.fields(dataset);
  const mentioned = [...terms.matchAll(/([\w.@]+)(?:[:=<>]|!=)/g)].map(([, name]) => ({
    name: name!,
    type: 'unknown',
  }));
  const [, ...steps] = searchToApl(terms, 'x', known && [...known, ...mentioned]).split('\n| ');
  return { index, steps };
}

const NAMES = ['name', 'quoted-name', 'string'] as const;

/** A field, whose name may have wildcards. */
function fieldIn({ reader, name }: Arguments): string {
  const { text } = reader.takeKind(...NAMES);
  return name(text).apl;
}

function fieldsIn(args: Arguments): readonly string[] {
  const fields = [fieldIn(args)];
  for (;;) {
    args.reader.accept(',');
    if (args.reader.next.kind === 'end') return fields;
    fields.push(fieldIn(args));
  }
}

const fieldsAfter = (args: Arguments, word: string): readonly string[] => {
  if (!args.reader.accept(word)) return [];
  const fields = [fieldIn(args)];
  for (;;) {
    const isSeparated = args.reader.accept(',');
    if (args.reader.next.kind !== 'name' || (!isSeparated && args.reader.at('by'))) return fields;
    fields.push(fieldIn(args));
  }
};

function projectArguments(args: Arguments, operator: string): readonly string[] {
  return [`${operator} ${fieldsIn(args).join(', ')}`];
}

function assignments({ reader, expression }: Arguments): readonly string[] {
  const all: string[] = [];
  do {
    const name = reader.takeKind('name', 'quoted-name').text;
    reader.expect('=');
    all.push(`${fieldText(name)} = ${expression().apl}`);
  } while (reader.accept(','));
  return all;
}

/** Options before the arguments: `span=5m limit=10`. */
function optionsIn({ reader }: Arguments, names: readonly string[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  while (names.includes(reader.next.text.toLowerCase()) && reader.peek(1).text === '=') {
    const name = reader.take().text.toLowerCase();
    reader.take();
    found[name] = reader.take().text;
  }
  return found;
}

function spanText(span: string): string {
  const size = durationText(span);
  if (size === undefined) throw new TranslationError(`span=${span}`);
  return size;
}

const bucket = (args: Arguments): readonly string[] => {
  const before = optionsIn(args, ['span']);
  const field = fieldIn(args);
  const { span } = { ...before, ...optionsIn(args, ['span']) };
  return [`extend ${field} = ${span === undefined ? `bin_auto(${field})` : `bin(${field}, ${spanText(span)})`}`];
};

function aggregatesIn(args: Arguments): readonly string[] {
  const { reader } = args;
  const all: string[] = [];
  do {
    const value = aggregateIn(args);
    const alias = reader.accept('as') ? fieldText(reader.takeKind(...NAMES).text) : undefined;
    all.push(alias === undefined ? value : `${alias} = ${value}`);
    reader.accept(',');
  } while (reader.next.kind !== 'end' && !reader.at('by') && !reader.at('over'));
  return all;
}

function aggregateIn(args: Arguments): string {
  const { reader } = args;
  const start = reader.next;
  const name = reader.takeKind('name').text.toLowerCase();
  if (!reader.accept('(')) return name === 'count' || name === 'c' ? 'count()' : reader.failAt(start);
  if (reader.accept(')')) return name === 'count' ? 'count()' : reader.failAt(start);
  if (reader.accept('eval', '(')) {
    const condition = args.expression().apl;
    reader.expect(')', ')');
    return name === 'count' ? `countif(${condition})` : reader.failAt(start);
  }
  const field = fieldIn(args);
  reader.expect(')');
  if (name === 'latest' || name === 'last') return `arg_max(_time, ${field})`;
  if (name === 'earliest' || name === 'first') return `arg_min(_time, ${field})`;
  return splAggregate(name, field) ?? reader.failAt(start);
}

const summary = (aggregates: readonly string[], by: readonly string[]): string =>
  `summarize ${aggregates.join(', ')}${by.length > 0 ? ` by ${by.join(', ')}` : ''}`;

function mostOf(args: Arguments, direction: 'asc' | 'desc'): readonly string[] {
  const before = optionsIn(args, ['limit', 'showperc', 'useother']);
  const count = args.reader.next.kind === 'number' ? args.reader.take().text : (before['limit'] ?? '10');
  optionsIn(args, ['limit', 'showperc', 'useother']);
  const fields: string[] = [];
  do fields.push(fieldIn(args));
  while (args.reader.accept(',') || (args.reader.next.kind === 'name' && !args.reader.at('by')));
  const by = fieldsAfter(args, 'by');
  return [`summarize count() by ${[...fields, ...by].join(', ')}`, `top ${count} by count_ ${direction}`];
}

/** Named groups of a regular expression as columns. */
function groupsOf(regex: string, field: string | undefined, { reader, name }: Arguments): readonly string[] {
  const plain = regex.replaceAll(/\(\?P?<[A-Za-z_]\w*>/g, '(');
  const columns: string[] = [];
  let group = 0;
  for (const [open, named] of regex.matchAll(/\\.|\((?:\?P?<([A-Za-z_]\w*)>|(?!\?))/g)) {
    if (!open.startsWith('(')) continue;
    group++;
    if (named !== undefined)
      columns.push(`${fieldText(named)} = extract(${stringText(plain)}, ${group}, ${field ?? name('message').apl})`);
  }
  return columns.length > 0 ? columns : reader.failAs(`rex "${regex}"`);
}
