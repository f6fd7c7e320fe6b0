import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { Overload } from '../functions/define.js';
import { contentOf } from '../functions/json-text.js';
import { once } from '../lower/once.js';
import { isDynamic } from '../types.js';
import type { ScalarType } from '../types.js';
import { CLOSE, OPEN } from './redact-groups.js';

/** The function behind `redact` for values of a type: of a dynamic one it changes every text in it, at any depth. */
export const redactionOf = (type: ScalarType): Overload => ({
  params: [
    param('value', type),
    param('regex', 'string', { constant: true }),
    param('replacement', 'string', { constant: true }),
    param('token', 'string', { constant: true }),
    param('hash', 'bool', { constant: true }),
  ],
  returns: type,
  lower: ([value, regex, replacement, token, hash]) => {
    const secret: Secret = {
      regex: regex!.sql,
      replacement: replacement!.sql,
      token: String(token!.constant),
      hash: hash!.constant === true,
    };
    const given = call('ifNull', value!.sql, literal(''));
    const all = isDynamic(type) ? hiddenInJson(given, secret) : hidden(given, secret);
    return call('if', call('isNull', value!.sql), value!.sql, all);
  },
});

interface Secret {
  readonly regex: Expr;
  readonly replacement: Expr;
  readonly token: string;
  readonly hash: boolean;
}

/** Keys with their colon, texts, and what stands between them. */
const TOKENS = String.raw`"(?:[^"\\]|\\.)*"\s*:|"(?:[^"\\]|\\.)*"|[^"]+`;

/** A JSON text with what matches in its texts hidden. */
function hiddenInJson(json: Expr, secret: Secret): Expr {
  const token = column('token');
  const isText = and(call('startsWith', token, literal('"')), call('endsWith', token, literal('"')));
  // The engine reads half a surrogate pair as nothing; what matches beside it must not be left readable.
  const content = call(
    'if',
    call('notEmpty', contentOf(token)),
    contentOf(token),
    call('substring', token, integer(2), call('minus', call('length', token), integer(2))),
  );
  const rewritten = once(content, (text) =>
    once(hidden(text, secret), (changed) =>
      call('if', call('equals', changed, text), token, call('toJSONString', changed)),
    ),
  );
  const tokens = call('extractAll', json, literal(TOKENS));
  return call('arrayStringConcat', call('arrayMap', lambda(['token'], call('if', isText, rewritten, token)), tokens));
}

/** A text with what matches hidden. */
function hidden(text: Expr, { regex, replacement, token, hash }: Secret): Expr {
  const parts = call('splitByString', literal(OPEN), call('replaceRegexpAll', text, regex, replacement));
  const pair = call('splitByString', literal(CLOSE), column('p'));
  const secret = call('arrayElement', pair, integer(1));
  const rest = call('arrayElement', pair, integer(2));
  const instead = call('if', call('empty', secret), literal(''), hash ? hashOf(secret) : tokenFor(secret, token));
  const others = call('arrayMap', lambda(['p'], call('concat', instead, rest)), call('arraySlice', parts, integer(2)));
  return call('concat', call('arrayElement', parts, integer(1)), call('arrayStringConcat', others));
}

function hashOf(secret: Expr): Expr {
  const digest = call('base64URLEncode', call('unhex', call('hex', call('sipHash64', secret))));
  return call('substring', digest, integer(1), integer(8));
}

const tokenFor = (secret: Expr, token: string): Expr =>
  [...token].length === 1 ? call('repeat', literal(token), call('lengthUTF8', secret)) : literal(token);
