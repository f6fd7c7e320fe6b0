import { describe, expect, it } from 'vitest';
import { Failure } from '../failure.js';
import { command } from './command.js';
import { parse, type ParsedCommandLine } from './parse.js';

const examples = [{ command: 'millrace x', doc: 'x' }];
const run = async () => 'done' as const;
const table = [
  command({
    name: 'load',
    summary: 'Load.',
    remote: true,
    args: { name: { doc: 'n' }, second: { optional: true, doc: 's' } },
    options: {
      file: { type: 'list', short: 'f', metavar: 'FILE', doc: 'f' },
      type: { type: 'choice', short: 't', choices: ['json', 'csv'], doc: 't' },
      size: { type: 'size', min: 1024, max: 1024 ** 3, default: 4096, doc: 's' },
      wait: { type: 'duration', min: 0, max: 86_400_000, doc: 'w' },
      count: { type: 'integer', min: 1, max: 10, doc: 'c' },
      dryRun: { type: 'flag', doc: 'd' },
      note: { type: 'text', metavar: 'TEXT', mayBeEmpty: true, doc: 'n' },
    },
    examples,
    run,
  }),
  command({
    name: 'thing make',
    summary: 'Make.',
    options: { into: { type: 'text', metavar: 'DIR', required: true, doc: 'i' } },
    examples,
    run,
  }),
  command({ name: 'thing list', summary: 'List.', examples, run }),
  command({ name: 'raw', summary: 'Raw.', raw: { listed: async () => [] }, examples, run }),
];

const words = (line: string): readonly string[] => (line === '' ? [] : line.split(' '));
const parseCall = (line: string) => {
  const parsed = parse(words(line), table);
  if (parsed.kind !== 'call') throw new Error(`parsed as ${parsed.kind}`);
  return { args: parsed.args, options: parsed.options, name: parsed.command.name, rest: parsed.rest };
};

describe('arguments and options', () => {
  it.each<readonly [string, object]>([
    ['load a', { file: [], size: 4096, dryRun: false }],
    ['load a -f x --file y --file=z', { file: ['x', 'y', 'z'] }],
    ['load --file -x a', { file: ['-x'] }],
    ['load a -t csv --dry-run', { type: 'csv', dryRun: true }],
    ['load a --size 2MiB --wait 1.5m --count 10', { size: 2 * 1024 ** 2, wait: 90_000, count: 10 }],
    ['load a --size 64KB', { size: 64_000 }],
    ['-U http://x load a -T t', { url: 'http://x', token: 't' }],
    ['--url=http://x load a', { url: 'http://x' }],
    ['thing make --into d', { into: 'd' }],
    ['load a --note ', { note: '' }],
  ])('%s', (line, options) => expect(parseCall(line).options).toMatchObject(options));

  it.each<readonly [string, object]>([
    ['load a', { name: 'a', second: undefined }],
    ['load a b', { name: 'a', second: 'b' }],
    ['load -f x a b', { name: 'a', second: 'b' }],
    ['load -- -a', { name: '-a' }],
  ])('%s', (line, args) => expect(parseCall(line).args).toEqual({ second: undefined, ...args }));

  it('passes the words after its name to a raw command', () =>
    expect(parseCall('raw --port 1 --no-x').rest).toEqual(['--port', '1', '--no-x']));
});

describe('usage errors', () => {
  it.each<readonly [string, string]>([
    ['lod', "unknown command 'lod'; did you mean load?"],
    ['xyzzy', "unknown command 'xyzzy'; millrace --help lists all"],
    ['thing mkae', "unknown command 'thing mkae'; did you mean make?"],
    ['thing xyzzy', "unknown command 'thing xyzzy'; expected one of make, list after thing"],
    ['load', 'NAME is missing'],
    ['load a b c', "unexpected argument 'c' (a file is named with --file); millrace load --help"],
    ['thing make --into x y', "unexpected argument 'y'; millrace thing make --help"],
    ['load ', 'NAME is an empty text; millrace load --help'],
    ['thing make --into ', "--into: expected a value, not ''"],
    ['load a -T ', "--token: expected a value, not ''"],
    ['load a --token=', "--token: expected a value, not ''"],
    ['-T  load a', "--token: expected a value, not ''"],
    ['load a -f x -f ', "--file: expected a value, not ''"],
    ['load a --fiel x', 'unknown option --fiel; did you mean --file?'],
    ['load a -x', 'unknown option -x; millrace load --help lists all'],
    ['load a -F x', 'unknown option -F; did you mean -f?'],
    ['thing list -U x', 'unknown option -U; millrace thing list talks to no server; millrace thing list --help'],
    ['thing list --token x', 'unknown option --token; millrace thing list talks to no server'],
    ['load a --file', '--file: expected a value'],
    ['load a --type xml', "--type: expected one of json, csv, not 'xml'"],
    ['load a --size big', "--size: expected a size such as 512KiB or 4MiB, not 'big'"],
    ['load a --size 1', '--size: 1 is out of range, 1KiB to 1GiB'],
    ['load a --wait 2d', '--wait: 48h is out of range, 0ms to 24h'],
    ['load a --count 1.5', "--count: expected a whole number, not '1.5'"],
    ['load a --dry-run=yes', '--dry-run takes no value'],
    ['thing make', 'missing --into'],
    ['--fast', 'unknown option --fast; try: millrace --help'],
    ['-V', 'unknown option -V; did you mean -v?'],
    ['--verison', 'unknown option --verison; did you mean --version?'],
    ['-U http://x', 'expected a command after -U'],
    ['--url=http://x', 'expected a command after --url=http://x'],
  ])('%s → %s', (line, message) => {
    let failure: unknown;
    try {
      parse(words(line), table);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(Failure);
    expect((failure as Failure).exit).toBe('usage');
    expect((failure as Failure).message).toContain(message);
  });
});

describe('help', () => {
  it.each<readonly [string, ParsedCommandLine]>([
    ['', { kind: 'help', of: [] }],
    ['--help', { kind: 'help', of: [] }],
    ['load --help', { kind: 'help', of: ['load'] }],
    ['load -h', { kind: 'help', of: ['load'] }],
    ['thing', { kind: 'help', of: ['thing'] }],
    ['thing --help', { kind: 'help', of: ['thing'] }],
    ['thing make --help', { kind: 'help', of: ['thing', 'make'] }],
    ['raw --help', { kind: 'help', of: ['raw'] }],
    ['--version', { kind: 'version' }],
  ])('millrace %s', (line, parsed) => expect(parse(words(line), table)).toEqual(parsed));
});
