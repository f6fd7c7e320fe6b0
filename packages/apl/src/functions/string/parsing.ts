import { call, column, integer, lambda, literal } from '@millrace/sql';
import { whereAll } from '../../lower/equality.js';
import type { FunctionRecord } from '../define.js';
import { ofText } from './length-and-case.js';

/** The first record: quoted parts may hold line breaks; a quote that never closes is a character like others. */
const RECORD = '^((?:"(?:[^"]|"")*"|[^"\\r\\n]|")*)';
/** A field with the comma behind it; only a quoted one may hold commas. */
const FIELD = '("(?:[^"]|"")*"[^,]*|[^,]*),';

/** Escape sequences of terminals: colours and cursor movements, titles and links, single commands. */
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
      return whereAll(
        [text],
        call('toJSONString', call('arrayMap', lambda(['field'], plain), call('extractAll', record, literal(FIELD)))),
      );
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
    'The text without terminal escape sequences such as colours.',
    'string',
    (text) => call('replaceRegexpAll', text, literal(ANSI), literal('')),
    [
      { apl: 'strip_ansi_escapes("\u001b[1;31mred\u001b[0m é")', gives: 'red é' },
      { apl: 'strip_ansi_escapes("\u001b]8;;http://x\u0007link\u001b]8;;\u0007")', gives: 'link' },
      { apl: 'strip_ansi_escapes("plain [0m")', gives: 'plain [0m' },
    ],
  ),
];
