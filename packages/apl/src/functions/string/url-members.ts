import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { namedMembers } from '../../lower/json/text-objects.js';
import type { TextMembers } from '../../lower/json/text-objects.js';
import { part } from '../json-text.js';
import { textAfter, textBefore } from './around.js';

/**
 * The engine's own functions for URLs fail on those with a user. It compiles regular expressions if
 * they are read by `extract` and have no alternatives: then one takes 20 ns instead of 500. Only
 * hosts in brackets need alternatives.
 */
const extract = (text: Expr, regex: string): Expr => call('extract', text, literal(regex));

const SCHEME = '[A-Za-z][A-Za-z0-9+.-]*';
/** Up to the last @: people write passwords with one. */
const LOGIN = '[^/?#]*';
const PLAIN_HOST = '[^/?#:]*';
const HOST = `\\[[^\\]]*\\]|${PLAIN_HOST}`;

/** Everything before the host. */
const START = `^(?:${SCHEME}:)?//(?:${LOGIN}@)?`;

/** The match of an expression that contains the pattern of a host. */
function matchHost(url: Expr, regex: (host: string) => string): Expr {
  const isInBrackets = call('startsWith', extract(url, `${START}(${PLAIN_HOST})`), literal('['));
  return call('if', isInBrackets, extract(url, regex(HOST)), extract(url, regex(PLAIN_HOST)));
}

const decodeUrl = (text: Expr): Expr => call('toValidUTF8', call('decodeURLComponent', text));

/** The parts of a URL. */
export const partsOfUrl: TextMembers = namedMembers((url) => {
  const login = extract(url, `^(?:${SCHEME}:)?//(${LOGIN})@`);
  const head = matchHost(url, (host) => `^((?:${SCHEME}:)?(?://(?:${LOGIN}@)?(?:${host})(?::[0-9]*)?)?)`);
  const tail = call('substring', url, call('plus', call('length', head), integer(1)));
  return {
    scheme: extract(url, `^(${SCHEME}):`),
    host: matchHost(url, (host) => `${START}(${host})`),
    port: matchHost(url, (host) => `${START}(?:${host})(?::([0-9]*))?`),
    path: extract(tail, '^([^?#]*)'),
    username: decodeUrl(textBefore(login, ':')),
    password: decodeUrl(textAfter(login, ':')),
    query: extract(tail, '^[^?#]*\\?([^#]*)'),
    fragment: textAfter(tail, '#'),
  };
});

/** In a query, + is a space. */
const formDecoded = (text: Expr): Expr => call('toValidUTF8', call('decodeURLFormComponent', text));

const pair = column('pair');
const nameOf = (text: Expr): Expr => formDecoded(textBefore(text, '='));
const valueOf = (text: Expr): Expr => formDecoded(textAfter(text, '='));

/** The pairs of a query that are not empty. */
const pairsOf = (query: Expr): Expr =>
  call(
    'arrayFilter',
    lambda(['pair'], call('notEmpty', pair)),
    call('splitByChar', literal('&'), call('trimLeft', query, literal('?'))),
  );

/** The parameters of a query, decoded; if a name occurs twice, the first counts. */
export const parametersOfQuery: TextMembers = {
  all: (query) => {
    const pairs = call('arrayMap', lambda(['pair'], call('tuple', nameOf(pair), valueOf(pair))), pairsOf(query));
    const names = call('arrayMap', lambda(['name'], part(column('name'), 1)), pairs);
    const isFirst = call('equals', call('indexOf', names, part(pair, 1)), column('place'));
    return call('arrayFilter', lambda(['pair', 'place'], isFirst), pairs, call('arrayEnumerate', names));
  },
  one: (query, key) => {
    const isNamed = lambda(['pair'], call('equals', nameOf(pair), literal(key)));
    return shareSubexpression(call('arrayFirst', isNamed, pairsOf(query)), (first) =>
      call('if', call('empty', first), literal(null), valueOf(first)),
    );
  },
};
