import { and, call, column, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { memberText } from '../../lower/json/json-parts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { textObject } from '../../lower/json/text-objects.js';
import { asString, nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { holdsObject, membersOf, part } from '../json-text.js';
import { ofText } from './length-and-case.js';
import { parametersOfQuery, partsOfUrl } from './url-members.js';

const empty = literal('');
const isEmpty = (text: Expr): Expr => call('equals', text, empty);

const encodeUrl = (text: Expr): Expr => call('encodeURLComponent', text);

/** A member of a JSON object as text, '' if it is missing or null. */
const text = (bag: Expr, key: string): Expr =>
  call('ifNull', asString({ type: 'dynamic', sql: member(bag, key) }), empty);
const member = (bag: Expr, key: string): Expr =>
  call('nullIf', call('nullIf', memberText(bag, literal(key)), empty), literal('null'));

/** `?a=1&b=2` from a query given as an object or a text; '' if there is none. */
function queryText(bag: Expr): Expr {
  const entry = column('entry');
  const valueText = call('ifNull', asString({ type: 'dynamic', sql: part(entry, 2) }), empty);
  const written = call('concat', encodeUrl(part(entry, 1)), literal('='), encodeUrl(valueText));
  const json = call('ifNull', member(bag, 'query'), empty);
  const joined = call(
    'if',
    holdsObject(json),
    call('arrayStringConcat', call('arrayMap', lambda(['entry'], written), membersOf(json)), literal('&')),
    call('trimLeft', text(bag, 'query'), literal('?')),
  );
  return shareSubexpression(joined, (query) => call('if', isEmpty(query), empty, call('concat', literal('?'), query)));
}

const unlessEmpty = (value: Expr, then: readonly Expr[]): Expr =>
  call('if', isEmpty(value), empty, call('concat', ...then));

export const functions: readonly FunctionRecord[] = [
  ofText(
    'parse_url',
    'The parts of a URL: scheme, host, port, path, username, password, query, fragment; missing ones are empty.',
    'bag',
    (url) => textObject(url, partsOfUrl),
    [
      {
        apl: 'parse_url("https://u:p%40@example.com:8080/a/b?x=1&y=2#top")',
        gives: {
          scheme: 'https',
          host: 'example.com',
          port: '8080',
          path: '/a/b',
          username: 'u',
          password: 'p@',
          query: 'x=1&y=2',
          fragment: 'top',
        },
      },
      { apl: 'parse_url("https://[::1]/é").host', gives: '[::1]' },
      { apl: 'parse_url("https://me@x.org:p@ss@example.com/a@b").host', gives: 'example.com' },
      { apl: 'parse_url("https://u:p@ss@example.com/a@b").password', gives: 'p@ss' },
      { apl: 'parse_url("/only/path").path', gives: '/only/path' },
      { apl: 'parse_url("").scheme', gives: '' },
    ],
  ),
  ofText(
    'parse_urlquery',
    'The parameters of the query of a URL, decoded, with + as a space; if a name occurs twice, the first counts.',
    'bag',
    (query) => textObject(query, parametersOfQuery),
    [
      { apl: 'parse_urlquery("?a=1&b=x%20y+z&c")', gives: { a: '1', b: 'x y z', c: '' } },
      { apl: 'parse_urlquery("a=1&a=2&é=%C3%A9")', gives: { a: '1', é: 'é' } },
      { apl: 'parse_urlquery("id=1 OR 1=1").id', gives: '1 OR 1=1' },
      { apl: 'parse_urlquery("")', gives: {} },
    ],
  ),
  defineFunction({
    name: 'format_url',
    summary:
      'A URL from its parts: scheme, user, password, host, port, path, query (text or object), fragment; null if not an object.',
    params: [param('parts', 'bag')],
    returns: 'string',
    lower: ([parts]) =>
      shareSubexpression(parts.sql, (bag) => {
        const [scheme, host, port, path, password, fragment] = [
          'scheme',
          'host',
          'port',
          'path',
          'password',
          'fragment',
        ].map((key) => text(bag, key)) as [Expr, Expr, Expr, Expr, Expr, Expr];
        // `parse_url` calls it `username`.
        const user = call('if', isEmpty(text(bag, 'user')), text(bag, 'username'), text(bag, 'user'));
        const login = unlessEmpty(user, [
          encodeUrl(user),
          unlessEmpty(password, [literal(':'), encodeUrl(password)]),
          literal('@'),
        ]);
        const slash = call(
          'if',
          and(
            call('notEquals', path, empty),
            call('notEquals', host, empty),
            call('not', call('startsWith', path, literal('/'))),
          ),
          literal('/'),
          empty,
        );
        const authority = call('concat', literal('//'), login, host, unlessEmpty(port, [literal(':'), port]));
        const url = call(
          'concat',
          unlessEmpty(scheme, [scheme, literal(':')]),
          call('if', isEmpty(host), empty, authority),
          slash,
          path,
          queryText(bag),
          unlessEmpty(fragment, [literal('#'), fragment]),
        );
        return call('if', holdsObject(bag), url, nullOf('string'));
      }),
    examples: [
      {
        apl: 'format_url(dynamic({"scheme": "https", "host": "example.com", "port": 8080, "path": "a/b", "user": "me@x"}))',
        gives: 'https://me%40x@example.com:8080/a/b',
      },
      {
        apl: 'format_url(dynamic({"scheme": "http", "host": "h", "path": "/", "query": {"q": "a b", "n": 1}, "fragment": "f"}))',
        gives: 'http://h/?q=a%20b&n=1#f',
      },
      { apl: 'format_url(parse_url("https://u:p@h/x?a=1"))', gives: 'https://u:p@h/x?a=1' },
      { apl: 'format_url(dynamic({}))', gives: '' },
      { apl: 'format_url(todynamic("[1]"))', gives: null },
    ],
  }),
];
