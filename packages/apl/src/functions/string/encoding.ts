import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from '../../lower/equality.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { ofText } from './length-and-case.js';

const byte = column('byte');
const emptyText = literal('');

/** The bytes of a text as an array of numbers. */
const bytesOf = (text: Expr): Expr =>
  call(
    'arrayMap',
    lambda(['byte'], call('reinterpretAsUInt8', call('substring', text, byte, integer(1)))),
    call('range', integer(1), call('plus', call('length', text), integer(1))),
  );

/** The decoded bytes, null if the text is not Base64. */
const decodeBase64 = (text: Expr): Expr =>
  call('if', call('equals', text, emptyText), emptyText, call('nullIf', call('tryBase64Decode', text), emptyText));

/** The integers in a JSON array; other elements are null. Read as integers, 1.5 would be 1. */
const numbersIn = (json: Expr): Expr =>
  call(
    'arrayMap',
    lambda(['number'], call('accurateCastOrNull', column('number'), literal('Int64'))),
    call('JSONExtract', call('ifNull', json, emptyText), literal('Array(Nullable(Float64))')),
  );

/** Whether the JSON is an array, and all its elements are integers in the range. */
const allWithin = (json: Expr, numbers: Expr, low: number, high: number): Expr =>
  and(
    call('startsWith', json, literal('[')),
    call(
      'arrayAll',
      lambda(
        ['number'],
        call(
          'ifNull',
          and(
            call('greaterOrEquals', column('number'), integer(low)),
            call('lessOrEquals', column('number'), integer(high)),
          ),
          literal(false),
        ),
      ),
      numbers,
    ),
  );

const shiftBits = (value: Expr, bits: number): Expr => call('bitShiftRight', value, integer(bits));
const low = (value: Expr, mask: number): Expr => call('bitAnd', value, integer(mask));

/** The code points of a text, read from UTF-32, which has four bytes for each. */
function codepointsOf(text: Expr): Expr {
  const wide = call('convertCharset', text, literal('UTF-8'), literal('UTF-32LE'));
  return shareSubexpression(wide, (bytes) => {
    const start = call('plus', call('multiply', column('place'), integer(4)), integer(1));
    const codepoint = call('reinterpretAsUInt32', call('substring', bytes, start, integer(4)));
    return call(
      'arrayMap',
      lambda(['place'], codepoint),
      call('range', call('intDiv', call('length', bytes), integer(4))),
    );
  });
}

/** The character of a code point; the replacement character for anything else. */
function charOf(code: Expr): Expr {
  const tail = (bits: number): Expr => call('plus', low(shiftBits(code, bits), 0x3f), integer(0x80));
  const head = (bits: number, mark: number): Expr => call('plus', shiftBits(code, bits), integer(mark));
  const below = (limit: number): Expr => call('less', code, integer(limit));
  const none = call(
    'ifNull',
    call(
      'or',
      below(0),
      call('greater', code, integer(0x10ffff)),
      and(call('greaterOrEquals', code, integer(0xd800)), below(0xe000)),
    ),
    literal(true),
  );
  return call(
    'multiIf',
    none,
    literal('\ufffd'),
    below(0x80),
    call('char', code),
    below(0x800),
    call('char', head(6, 0xc0), tail(0)),
    below(0x10000),
    call('char', head(12, 0xe0), tail(6), tail(0)),
    call('char', head(18, 0xf0), tail(12), tail(6), tail(0)),
  );
}

export const functions: readonly FunctionRecord[] = [
  ofText('base64_encode_tostring', 'The text encoded as Base64.', 'string', (text) => call('base64Encode', text), [
    { apl: 'base64_encode_tostring("hello")', gives: 'aGVsbG8=' },
    { apl: 'base64_encode_tostring("é")', gives: 'w6k=' },
    { apl: 'base64_encode_tostring("")', gives: '' },
  ]),
  ofText(
    'base64_decode_tostring',
    'The text decoded from Base64; null if it is not Base64 or does not decode to UTF-8.',
    'string',
    (text) =>
      shareSubexpression(decodeBase64(text), (bytes) =>
        call('if', call('isValidUTF8', bytes), bytes, nullOf('string')),
      ),
    [
      { apl: 'base64_decode_tostring("aGVsbG8=")', gives: 'hello' },
      { apl: 'base64_decode_tostring("w6k=")', gives: 'é' },
      { apl: 'base64_decode_tostring("no base64!")', gives: null },
      { apl: 'base64_decode_tostring("/w==")', gives: null },
      { apl: 'base64_decode_tostring("")', gives: '' },
    ],
  ),
  ofText(
    'base64_decode_toarray',
    'The bytes decoded from Base64, as an array of numbers; an empty array if the text is not Base64.',
    'array',
    (text) =>
      whereAll(
        [text],
        shareSubexpression(call('ifNull', decodeBase64(text), emptyText), (bytes) =>
          call('toJSONString', bytesOf(bytes)),
        ),
      ),
    [
      { apl: 'base64_decode_toarray("/wAB")', gives: [255, 0, 1] },
      { apl: 'base64_decode_toarray("no base64!")', gives: [] },
      { apl: 'base64_decode_toarray("")', gives: [] },
    ],
  ),
  defineFunction({
    name: 'base64_encode_fromarray',
    summary: 'An array of bytes encoded as Base64; an empty text for anything else.',
    params: [param('bytes', 'array')],
    returns: 'string',
    lower: ([json]) => {
      const numbers = numbersIn(json.sql);
      const bytes = call('arrayMap', lambda(['byte'], call('char', call('ifNull', byte, integer(0)))), numbers);
      const encoded = call('base64Encode', call('arrayStringConcat', bytes, emptyText));
      return whereAll([json.sql], call('if', allWithin(json.sql, numbers, 0, 255), encoded, emptyText));
    },
    examples: [
      { apl: 'base64_encode_fromarray(dynamic([192, 168, 0, 1]))', gives: 'wKgAAQ==' },
      { apl: 'base64_encode_fromarray(dynamic([300]))', gives: '' },
      { apl: 'base64_encode_fromarray(dynamic(["a"]))', gives: '' },
      { apl: 'base64_encode_fromarray(dynamic([1.5]))', gives: '' },
      { apl: 'base64_encode_fromarray(dynamic([]))', gives: '' },
    ],
  }),
  ofText(
    'unicode_codepoints_from_string',
    'The Unicode code points of the characters, as an array.',
    'array',
    (text) => whereAll([text], call('toJSONString', codepointsOf(call('ifNull', text, emptyText)))),
    [
      { apl: 'unicode_codepoints_from_string("aé€😀")', gives: [97, 233, 8364, 128512] },
      { apl: 'unicode_codepoints_from_string("")', gives: [] },
    ],
  ),
  defineFunction({
    name: 'unicode_codepoints_to_string',
    summary: 'The text made of an array of Unicode code points; elements that are not code points become U+FFFD.',
    params: [param('codepoints', 'array')],
    returns: 'string',
    lower: ([json]) => {
      const chars = call('arrayMap', lambda(['code'], charOf(column('code'))), numbersIn(json.sql));
      return call(
        'if',
        call('startsWith', json.sql, literal('[')),
        call('arrayStringConcat', chars, emptyText),
        nullOf('string'),
      );
    },
    examples: [
      { apl: 'unicode_codepoints_to_string(dynamic([97, 233, 8364, 128512]))', gives: 'aé€😀' },
      { apl: 'unicode_codepoints_to_string(dynamic([55296, -1, "x"]))', gives: '\ufffd\ufffd\ufffd' },
      { apl: 'unicode_codepoints_to_string(dynamic([65.5, 66]))', gives: '\ufffdB' },
      { apl: 'unicode_codepoints_to_string(dynamic([]))', gives: '' },
    ],
    differs: { kusto: 'One array, not several numbers.' },
  }),
  {
    ...ofText(
      'url_encode',
      'The text encoded for a URL: everything but letters, digits and - . _ ~ becomes %XX.',
      'string',
      (text) => call('encodeURLComponent', text),
      [
        { apl: 'url_encode("a b&c/é~")', gives: 'a%20b%26c%2F%C3%A9~' },
        { apl: 'url_encode("")', gives: '' },
      ],
    ),
    aliases: ['url_encode_component'],
    differs: { kusto: 'A space becomes %20, not +.' },
  },
  ofText(
    'url_decode',
    'The text with every %XX decoded; + stays.',
    'string',
    (text) => call('toValidUTF8', call('decodeURLComponent', text)),
    [
      { apl: 'url_decode("a%20b%26%C3%A9")', gives: 'a b&é' },
      { apl: 'url_decode("1+1%zz")', gives: '1+1%zz' },
      { apl: 'url_decode("%FF")', gives: '\ufffd' },
    ],
  ),
  ofText(
    'quote',
    'The text in double quotes, with quotes, backslashes and control characters escaped.',
    'string',
    (text) => call('toJSONString', text),
    [
      { apl: 'quote("O\'Reilly")', gives: '"O\'Reilly"' },
      { apl: 'quote("a\\"b\\n")', gives: '"a\\"b\\n"' },
      { apl: 'quote("/é")', gives: '"/é"' },
    ],
  ),
];
