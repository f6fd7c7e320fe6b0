import { and, call, column, lambda, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from '../../lower/equality.js';
import { defineOverload, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument, Overload } from '../define.js';
import { ipv4 } from './address.js';
import { constantTexts, isInRange, textsIn } from './compare.js';

/**
 * An address in a text counts only if no letters, digits or further dotted parts adjoin it. So the
 * text is split into words, which may contain dots, and each is parsed.
 */
const words = (text: Expr): Expr =>
  call('extractAll', call('ifNull', text, literal('')), literal('[0-9A-Za-z]+(?:\\.[0-9A-Za-z]+)*'));

const anyWord = (text: Expr, test: (word: Expr) => Expr): Expr =>
  call('arrayExists', lambda(['word'], test(column('word'))), words(text));

/** Whether a word is an address in a network; a network without a prefix is one address. */
const isIn: Test = (word, network) => isInRange(ipv4, ipv4.addressOf(word), network);

/**
 * Whether a word is an address that begins with whole parts: `10.1` and `10.1.` begin 10.1.2.3 but
 * not 10.12.3.4. No dot follows a fourth part.
 */
function beginsWith(word: Expr, { sql: prefix }: LoweredArgument): Expr {
  const wellFormed = call('match', prefix, literal('^[0-9]{1,3}(?:(?:\\.[0-9]{1,3}){3}|(?:\\.[0-9]{1,3}){0,2}\\.?)$'));
  const dotted = call('concat', call('trimRight', prefix, literal('.')), literal('.'));
  return and(
    wellFormed,
    call('startsWith', call('concat', word, literal('.')), dotted),
    call('isNotNull', ipv4.addressOf(word)),
  );
}

/** Whether a word of the text is the wanted one. */
type Test = (word: Expr, wanted: LoweredArgument) => Expr;

/** Whether one of the wanted texts is found; an invalid one never is. */
const anyFound = (test: Test, word: Expr, wanted: readonly LoweredArgument[]): Expr =>
  or(...wanted.map((each) => call('ifNull', test(word, each), literal(false))));

const single = (name: string, test: Test): Overload =>
  defineOverload({
    params: [param('text', 'string'), param(name, 'string')],
    returns: 'bool',
    lower: ([text, ...wanted]) =>
      whereAll(
        [text, ...wanted].map(({ sql }) => sql),
        anyWord(text.sql, (word) => anyFound(test, word, wanted)),
      ),
  });

const several = (name: string, test: Test): Overload => ({ ...single(name, test), rest: param('more', 'string') });

const list = (name: string, test: Test): Overload =>
  defineOverload({
    params: [param('text', 'string'), param(name, 'array')],
    returns: 'bool',
    lower: ([text, wanted]) => {
      const known = constantTexts(wanted);
      const each: LoweredArgument = { type: 'string', sql: column('wanted') };
      return whereAll(
        [text.sql, wanted.sql],
        anyWord(text.sql, (word) =>
          known === undefined
            ? call('arrayExists', lambda(['wanted'], anyFound(test, word, [each])), textsIn(wanted.sql))
            : anyFound(test, word, known),
        ),
      );
    },
  });

const record = (
  name: string,
  summary: string,
  overloads: readonly Overload[],
  examples: readonly Example[],
): FunctionRecord => ({ name, summary, overloads, examples });

export const addressesInText: readonly FunctionRecord[] = [
  record(
    'has_ipv4',
    'Whether the text contains the IPv4 address, not inside a longer word.',
    [single('address', isIn)],
    [
      { apl: 'has_ipv4("05:04:54 127.0.0.1 GET /favicon.ico 404", "127.0.0.1")', gives: true },
      { apl: 'has_ipv4("from 10.0.0.1:8080, then", "10.0.0.1")', gives: true },
      { apl: 'has_ipv4("127.0.0.1x", "127.0.0.1")', gives: false },
      { apl: 'has_ipv4("version 1.127.0.0.1", "127.0.0.1")', gives: false },
      { apl: 'has_ipv4("It was 127.0.0.1.", "127.0.0.1")', gives: true },
      { apl: 'has_ipv4("127.0.0.256", "127.0.0.256")', gives: false },
    ],
  ),
  record(
    'has_any_ipv4',
    'Whether the text contains one of the IPv4 addresses, or one from a range such as 10.0.0.0/8.',
    [list('addresses', isIn), several('address', isIn)],
    [
      { apl: 'has_any_ipv4("a 192.168.1.7 b", dynamic(["10.0.0.1", "192.168.0.0/16"]))', gives: true },
      { apl: 'has_any_ipv4("a 192.168.1.7 b", "10.0.0.1", "192.168.1.7")', gives: true },
      { apl: 'has_any_ipv4("a 192.168.1.7 b", dynamic({"ip": "192.168.1.7"}).ip)', gives: true },
      { apl: 'has_any_ipv4("a 192.168.1.7 b", dynamic({"ip": 7}).ip)', gives: false },
      { apl: 'has_any_ipv4("a 192.168.1.7 b", dynamic({"a": ["192.168.0.0/16", 7]}).a)', gives: true },
      { apl: 'has_any_ipv4("a 192.168.1.7 b", dynamic(["nonsense"]))', gives: false },
      { apl: 'has_any_ipv4("", dynamic([]))', gives: false },
    ],
  ),
  record(
    'has_ipv4_prefix',
    'Whether the text contains an IPv4 address that begins with the prefix, such as 10.1. for 10.1.2.3.',
    [single('prefix', beginsWith)],
    [
      { apl: 'has_ipv4_prefix("a 192.168.1.7 b", "192.168.")', gives: true },
      { apl: 'has_ipv4_prefix("a 192.168.1.7 b", "192.168.1.7")', gives: true },
      { apl: 'has_ipv4_prefix("a 192.168.10.7 b", "192.168.1")', gives: false },
      { apl: 'has_ipv4_prefix("a 192.168.1.700 b", "192.168.")', gives: false },
      { apl: 'has_ipv4_prefix("a 192.168.1.7 b", "")', gives: false },
      { apl: 'has_ipv4_prefix("a 192.168.1.7 b", "192.168.1.7.")', gives: false },
    ],
  ),
  record(
    'has_any_ipv4_prefix',
    'Whether the text contains an IPv4 address that begins with one of the prefixes, such as 10.1. for 10.1.2.3.',
    [list('prefixes', beginsWith), several('prefix', beginsWith)],
    [
      { apl: 'has_any_ipv4_prefix("a 192.168.1.7 b", dynamic(["10.", "192.168."]))', gives: true },
      { apl: 'has_any_ipv4_prefix("a 192.168.1.7 b", "10.", "172.16")', gives: false },
      { apl: 'has_any_ipv4_prefix("a 192.168.1.7 b", dynamic({"ip": "192.168."}).ip)', gives: true },
    ],
  ),
];
