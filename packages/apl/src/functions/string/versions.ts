import { call, column, integer, lambda, literal } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';

export const version = defineFunction({
  name: 'parse_version',
  summary:
    'A version of up to four numbers as a text that is in order with those of other versions; null for anything else.',
  params: [param('version', 'string')],
  returns: 'string',
  lower: ([version]) => {
    const numbers = call('splitByChar', literal('.'), version.sql);
    const padded = call(
      'arrayMap',
      lambda(['n'], call('leftPad', column('n'), integer(8), literal('0'))),
      call('arrayResize', numbers, integer(4), literal('0')),
    );
    const isVersion = call('match', version.sql, literal(String.raw`^[0-9]{1,8}(\.[0-9]{1,8}){0,3}$`));
    return call('if', isVersion, call('arrayStringConcat', padded, literal('.')), nullOf('string'));
  },
  examples: [
    { apl: 'parse_version("1.2.3.40")', gives: '00000001.00000002.00000003.00000040' },
    { apl: 'parse_version("10.0") > parse_version("9.9.1")', gives: true },
    { apl: 'parse_version("x")', gives: null },
  ],
  differs: { axiom: 'Not in Axiom.', kusto: 'A text, not a decimal number.' },
});
