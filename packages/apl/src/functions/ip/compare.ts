import { and, call, column, lambda, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { constantOf, nullOf } from '../../lower/values.js';
import { defineOverload, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument, Overload } from '../define.js';
import { holdsArray, holdsText } from '../json-text.js';
import { cutTo, knownNetwork, knownRange, networkOf, order, smallerPrefix } from './address.js';
import type { AddressFamily, Network } from './address.js';

/** Combines two networks, cut to the shortest prefix given anywhere. */
function alignNetworks(
  family: AddressFamily,
  [first, second, prefix]: readonly [LoweredArgument, LoweredArgument, LoweredArgument?],
  combine: (a: Expr, b: Expr) => Expr,
): Expr {
  return withNetwork(family, first, (a) =>
    withNetwork(family, second, (b) => {
      const own = smallerPrefix(a.prefix, b.prefix);
      const bits = prefix === undefined ? own : cutTo(family, own, prefix.sql);
      const cut = (address: Expr): Expr => family.masked({ address, prefix: bits });
      return combine(cut(a.address), cut(b.address));
    }),
  );
}

/** `body` over the network in a text, which is read here if it is known. */
function withNetwork(family: AddressFamily, text: LoweredArgument, body: (network: Network) => Expr): Expr {
  const known = typeof text.constant === 'string' ? knownNetwork(family, text.constant) : undefined;
  return known === undefined ? shareSubexpression(text.sql, (given) => body(networkOf(family, given))) : body(known);
}

/** Whether an address lies in a range; null if either is invalid. */
export function isInRange(family: AddressFamily, address: Expr, range: LoweredArgument): Expr {
  if (typeof range.constant === 'string') {
    const known = knownRange(family, range.constant);
    if (known === undefined) return nullOf('bool');
    return and(call('greaterOrEquals', address, known.first), call('lessOrEquals', address, known.last));
  }
  const { address: start, prefix } = networkOf(family, range.sql);
  return call('equals', family.masked({ address, prefix }), family.masked({ address: start, prefix }));
}

/** True if a range holds the address; otherwise null if the address or a range is invalid. */
function isInAnyOf(family: AddressFamily, text: Expr, ranges: readonly LoweredArgument[]): Expr {
  return shareSubexpression(text, (given) =>
    shareSubexpression(family.addressOf(given), (address) =>
      call(
        'if',
        call('isNull', address),
        nullOf('bool'),
        or(...ranges.map((range) => isInRange(family, address, range))),
      ),
    ),
  );
}

function isInList(family: AddressFamily, text: Expr, list: LoweredArgument): Expr {
  const known = constantTexts(list);
  if (known !== undefined) return isInAnyOf(family, text, known);
  return shareSubexpression(text, (given) =>
    shareSubexpression(list.sql, (json) => {
      const address = family.addressOf(given);
      const tests = call(
        'arrayMap',
        lambda(['range'], isInRange(family, address, { type: 'string', sql: column('range') })),
        textsIn(json),
      );
      const found = call(
        'multiIf',
        call('has', tests, literal(true)),
        literal(true),
        call('has', tests, literal(null)),
        nullOf('bool'),
        literal(false),
      );
      const holdsTexts = or(holdsArray(json), holdsText(json));
      return call('if', and(call('isNotNull', address), holdsTexts), found, nullOf('bool'));
    }),
  );
}

/**
 * The strings of a JSON array. A single string counts as an array with one element: the kind of a
 * dynamic value is known only at run time.
 */
export function textsIn(list: Expr): Expr {
  return shareSubexpression(list, (json) => {
    const array = call('if', holdsText(json), call('concat', literal('['), json, literal(']')), json);
    return call('JSONExtract', call('ifNull', array, literal('')), literal('Array(String)'));
  });
}

/** The texts of a constant list; other elements become an invalid text. */
export function constantTexts(list: LoweredArgument): readonly LoweredArgument[] | undefined {
  if (typeof list.constant !== 'string') return undefined;
  try {
    const elements: unknown = JSON.parse(list.constant);
    if (!Array.isArray(elements)) return undefined;
    return elements.map((element: unknown) => constantOf('string', typeof element === 'string' ? element : ''));
  } catch {
    return undefined;
  }
}

interface FamilyExamples {
  readonly compare: readonly Example[];
  readonly match: readonly Example[];
  readonly inRange: readonly Example[];
  readonly inAny: readonly Example[];
}

/** The functions that IPv4 and IPv6 have in common. */
export function comparisons(family: AddressFamily, examples: FamilyExamples): readonly FunctionRecord[] {
  const label = family.name === 'ipv4' ? 'IPv4' : 'IPv6';
  const record = (
    name: string,
    summary: string,
    overloads: readonly Overload[],
    cases: readonly Example[],
  ): FunctionRecord => ({
    name: `${family.name}_${name}`,
    summary,
    overloads,
    examples: cases,
  });
  const pair = [
    param('first', 'string'),
    param('second', 'string'),
    param('prefix', 'long', { optional: true }),
  ] as const;
  return [
    record(
      'compare',
      `-1, 0 or 1 if the first ${label} address is lower than, equal to or higher than the second, compared up to the shortest prefix given; null if one is invalid.`,
      [defineOverload({ params: pair, returns: 'long', lower: (args) => alignNetworks(family, args, order) })],
      examples.compare,
    ),
    record(
      'is_match',
      `Whether two ${label} addresses are equal up to the shortest prefix given; null if one is invalid.`,
      [
        defineOverload({
          params: pair,
          returns: 'bool',
          lower: (args) => alignNetworks(family, args, (a, b) => call('equals', a, b)),
        }),
      ],
      examples.match,
    ),
    record(
      'is_in_range',
      `Whether an ${label} address lies in a range such as ${family.name === 'ipv4' ? '10.0.0.0/8' : 'fd00::/8'}; null if one is invalid.`,
      [
        defineOverload({
          params: [param('address', 'string'), param('range', 'string')],
          returns: 'bool',
          lower: ([address, range]) => isInAnyOf(family, address.sql, [range]),
        }),
      ],
      examples.inRange,
    ),
    record(
      'is_in_any_range',
      `Whether an ${label} address lies in one of the ranges; null if it is invalid, or if a range is and no other contains it.`,
      [
        defineOverload({
          params: [param('address', 'string'), param('ranges', 'array')],
          returns: 'bool',
          lower: ([address, ranges]) => isInList(family, address.sql, ranges),
        }),
        defineOverload({
          params: [param('address', 'string'), param('range', 'string')],
          rest: param('more', 'string'),
          returns: 'bool',
          lower: ([address, ...ranges]) => isInAnyOf(family, address.sql, ranges),
        }),
      ],
      examples.inAny,
    ),
  ];
}
