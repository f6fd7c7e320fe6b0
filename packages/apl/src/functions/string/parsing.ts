import { call, column, integer, lambda, literal } from '@millrace/sql';
import { textsJson } from '../../lower/strings/known-texts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { asJson } from '../../lower/values.js';
import { isPackedWithoutTexts } from '../../lower/json/packed-object.js';
import { isDynamic } from '../../model/types.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { contentOf, holdsText, jsonOrText } from '../json-text.js';
import { ofText } from './length-and-case.js';

/**
 * The first record: quoted parts may contain line breaks; a quote that is never closed is an
 * ordinary character.
 */
const RECORD = '^((?:"(?:[^"]|"")*"|[^"\\r\\n]|")*)';
/** A field with the comma after it; only a quoted one may contain commas. */
const FIELD = '("(?:[^"]|"")*"[^,]*|[^,]*),';

/**
 * Escape sequences of terminals: colors and cursor movements, titles and links, single commands.
 */
const ANSI = [
  '(?:\\x1b\\[|\\x{9b})[0-?]*[ -/]*[@-~]',
  '\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?',
  '\\x1b[PX^_][^\\x1b]*(?:\\x1b\\\\)?',
  '\\x1b[ -/]*[0-~]',
].join('|');

export const functions: readonly FunctionRecord[] = [
  ofText(
    'parse_csv',
    'The fields of the first record of a CSV text; fields may be quoted.',
    'array',
    (text) => {
      const field = column('field');
      const inner = call('regexpExtract', field, literal('^"((?:[^"]|"")*)"'), integer(1));
      const plain = call(
        'if',
        call('match', field, literal('^"(?:[^"]|"")*"')),
        call('replaceAll', inner, literal('""'), literal('"')),
        field,
      );
      const record = call(
        'concat',
        call('regexpExtract', call('ifNull', text, literal('')), literal(RECORD), integer(1)),
        literal(','),
      );
      return textsJson([text], call('arrayMap', lambda(['field'], plain), call('extractAll', record, literal(FIELD))));
    },
    [
      { apl: 'parse_csv("a,b,,c")', gives: ['a', 'b', '', 'c'] },
      { apl: 'parse_csv(\'"x, ""y""",é\')', gives: ['x, "y"', 'é'] },
      { apl: 'parse_csv("a,b\\nc,d")', gives: ['a', 'b'] },
      { apl: 'parse_csv("")', gives: [''] },
    ],
  ),
  ofText(
    'strip_ansi_escapes',
    'The text without terminal escape sequences such as colors.',
    'string',
    (text) => call('replaceRegexpAll', text, literal(ANSI), literal('')),
    [
      { apl: 'strip_ansi_escapes("\u001b[1;31mred\u001b[0m é")', gives: 'red é' },
      { apl: 'strip_ansi_escapes("\u001b]8;;http://x\u0007link\u001b]8;;\u0007")', gives: 'link' },
      { apl: 'strip_ansi_escapes("plain [0m")', gives: 'plain [0m' },
    ],
  ),
  defineFunction({
    name: 'parse_json',
    summary: 'The JSON value written in a text; a text that is not JSON stays a text.',
    params: [param('json', 'any')],
    returns: 'dynamic',
    lower: ([value]) => {
      if (value.type === 'string') return jsonOrText(value.sql);
      if (!isDynamic(value.type)) return asJson(value);
      if (value.type === 'array' || value.type === 'bag' || isPackedWithoutTexts(value.sql)) return value.sql;
      return shareSubexpression(value.sql, (json) => call('if', holdsText(json), jsonOrText(contentOf(json)), json));
    },
    examples: [
      { apl: 'parse_json("{\\"a\\": [1, {\\"b\\": null}]}")', gives: { a: [1, { b: null }] } },
      { apl: 'parse_json("{\\"a\\": {\\"é\\": 2.5}}").a["é"]', gives: 2.5 },
      { apl: 'parse_json("not json {")', gives: 'not json {' },
      { apl: 'parse_json("null")', gives: null },
      { apl: 'parse_json("")', gives: '' },
      { apl: 'parse_json(dynamic({"a": "[1]"}).a)', gives: [1] },
      {
        apl: 'parse_json("{\\"a\\": \\"x\\\\ud83dy\\\\uD83D\\\\uDE00\\\\\\\\ud83d\\"}")',
        gives: { a: 'x\ufffdy\u{1f600}\\ud83d' },
      },
      { apl: 'parse_json(12)', gives: 12 },
    ],
    differs: {
      axiom:
        'Integers beyond 64 bits become texts with all their digits. If a key occurs twice, the first one is found.',
      kusto: 'An empty text stays one instead of giving null.',
    },
  }),
  defineFunction({
    name: 'parse_command_line',
    summary: 'The arguments of a Windows command line as an array of texts; null for an empty one.',
    params: [param('text', 'string'), param('kind', 'string', { constant: true })],
    returns: 'array',
    check: ([, kind]) =>
      typeof kind?.constant === 'string' && kind.constant.toLowerCase() !== 'windows'
        ? { argument: 1, message: 'the only kind of command line is "windows"' }
        : undefined,
    lower: ([text, kind]) => {
      const argument = column('argument');
      // Quotes group and are removed, escaped ones stay; outside quotes, backslashes are ordinary
      // characters.
      const pieces = call('extractAll', argument, literal('\\\\"|"|[^"\\\\]+|\\\\'));
      const piece = column('piece');
      const plain = call(
        'multiIf',
        call('equals', piece, literal('"')),
        literal(''),
        call('equals', piece, literal('\\"')),
        literal('"'),
        piece,
      );
      const unquoted = call('arrayStringConcat', call('arrayMap', lambda(['piece'], plain), pieces), literal(''));
      const found = call(
        'extractAll',
        call('ifNull', text.sql, literal('')),
        literal('(?:\\\\"|"(?:\\\\"|[^"])*(?:"|$)|[^\\s"])+'),
      );
      return textsJson(
        [call('nullIf', call('trimBoth', text.sql), literal('')), kind.sql],
        call('arrayMap', lambda(['argument'], unquoted), found),
      );
    },
    examples: [
      { apl: 'parse_command_line(@"run.exe /a ""b c"" d\\e", "windows")', gives: ['run.exe', '/a', 'b c', 'd\\e'] },
      { apl: 'parse_command_line(\'say "\\\\"hi\\\\" é"x\', "windows")', gives: ['say', '"hi" éx'] },
      { apl: 'parse_command_line("", "windows")', gives: null },
    ],
    differs: { axiom: 'Not documented; backslashes before a quote are not halved.' },
  }),
];
