import type { MembershipExpr, StringOp } from './ast.js';
import type { Keyword } from './lexing/keywords.js';

/** Properties of an infix word operator. The levels of precedence are in `expressions.ts`. */
export type InfixOperator = Keyword &
  (
    | { readonly kind: 'logical'; readonly op: 'and' | 'or' }
    | { readonly kind: 'string'; readonly op: StringOp; readonly negated: boolean; readonly caseSensitive: boolean }
    | {
        readonly kind: 'membership';
        readonly op: MembershipExpr['op'];
        readonly negated: boolean;
        readonly caseSensitive: boolean;
      }
    | { readonly kind: 'between'; readonly negated: boolean }
  );

/** String operators. Each exists plain and negated, and both of these also with `_cs`. */
const stringOperators: readonly (readonly [op: StringOp, what: string])[] = [
  ['contains', 'holds the text'],
  ['startswith', 'begins with the text'],
  ['endswith', 'ends with the text'],
  ['has', 'holds the text as a whole term'],
  ['hasprefix', 'has a term that begins with the text'],
  ['hassuffix', 'has a term that ends with the text'],
];

/** The operators `has_any` and `has_all`. */
const termListOperators: readonly (readonly [op: 'has_any' | 'has_all', what: string])[] = [
  ['has_any', 'holds one of the listed terms'],
  ['has_all', 'holds all of the listed terms'],
];

const forms = [
  { negated: false, caseSensitive: false, before: '', after: '', note: '' },
  { negated: false, caseSensitive: true, before: '', after: '_cs', note: ', case-sensitive' },
  { negated: true, caseSensitive: false, before: '!', after: '', note: ' (negated)' },
  { negated: true, caseSensitive: true, before: '!', after: '_cs', note: ', case-sensitive (negated)' },
] as const;

function* allInfixOperators(): Generator<InfixOperator> {
  yield { kind: 'logical', op: 'and', name: 'and', syntax: 'a and b', doc: 'Both are true.' };
  yield { kind: 'logical', op: 'or', name: 'or', syntax: 'a or b', doc: 'At least one is true.' };
  for (const { negated, caseSensitive, before, after, note } of forms) {
    for (const [op, what] of stringOperators) {
      const name = before + op + after;
      yield {
        kind: 'string',
        op,
        negated,
        caseSensitive,
        name,
        syntax: `text ${name} "…"`,
        doc: `The text ${what}${note}.`,
      };
    }
    for (const [op, what] of termListOperators) {
      const name = before + op + after;
      yield {
        kind: 'membership',
        op,
        negated,
        caseSensitive,
        name,
        syntax: `text ${name} ("…", …)`,
        doc: `The text ${what}${note}.`,
      };
    }
    const name = `${before}in${caseSensitive ? '' : '~'}`;
    const doc = `The value is one of the list${caseSensitive ? '' : ', case aside'}${negated ? ' (negated)' : ''}.`;
    yield { kind: 'membership', op: 'in', negated, caseSensitive, name, syntax: `value ${name} (…)`, doc };
  }
  for (const negated of [false, true]) {
    const [mark, note] = negated ? ['!', ' (negated)'] : ['', ''];
    const regex = `${mark}matches regex`;
    const doc = `The regular expression matches somewhere in the text${note}.`;
    yield {
      kind: 'string',
      op: 'matches regex',
      negated,
      caseSensitive: true,
      name: regex,
      syntax: `text ${regex} @"…"`,
      doc,
    };
    const between = `${mark}between`;
    const rangeDoc = `The value lies in the range, ends included${note}.`;
    yield { kind: 'between', negated, name: between, syntax: `value ${between} (low .. high)`, doc: rangeDoc };
  }
}

/** Word operators by name, as written: `has_cs`, `!in~`, `matches regex`. */
export const infixOperators: ReadonlyMap<string, InfixOperator> = new Map(
  Array.from(allInfixOperators(), (operator) => [operator.name, operator]),
);

/** Operators between two values that are written as signs, tightest binding first. */
export const signOperators: readonly Keyword[] = [
  { name: '=~', syntax: 'text =~ "…"', doc: 'Equal, case aside.' },
  { name: '!~', syntax: 'text !~ "…"', doc: 'Not equal, case aside.' },
  { name: '*', syntax: 'a * b', doc: 'Product.' },
  { name: '/', syntax: 'a / b', doc: 'Quotient; of two integers, the integer part.' },
  { name: '%', syntax: 'a % b', doc: 'Remainder.' },
  { name: '+', syntax: 'a + b', doc: 'Sum; also of a datetime and a timespan.' },
  { name: '-', syntax: 'a - b', doc: 'Difference; of two datetimes, a timespan.' },
  { name: '<', syntax: 'a < b', doc: 'Less than.' },
  { name: '<=', syntax: 'a <= b', doc: 'At most.' },
  { name: '>', syntax: 'a > b', doc: 'Greater than.' },
  { name: '>=', syntax: 'a >= b', doc: 'At least.' },
  { name: '==', syntax: 'a == b', doc: 'Equal; false when one side is null.' },
  { name: '!=', syntax: 'a != b', doc: 'Not equal; true when one side is null.' },
];

/** Operators of other languages, and what to use instead. */
export const foreignOperators: ReadonlyMap<string, string> = new Map([
  ['like', 'use contains, startswith or matches regex; there are no % patterns'],
  ['ilike', 'use contains, startswith or matches regex; there are no % patterns'],
  ['rlike', 'use matches regex'],
  ['regexp', 'use matches regex'],
  ['regex', 'use matches regex'],
  ['notin', 'use !in'],
  ['not_in', 'use !in'],
  ['is', 'use isnull(x) or isnotnull(x), and == to compare'],
  ['equals', 'use =='],
  ['mod', 'use %'],
  ['xor', 'use !='],
]);
