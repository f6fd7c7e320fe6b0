import { and, call, column, integer, lambda, literal, not, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { Overload } from '../functions/define.js';
import { contentOf } from '../functions/json-text.js';
import { CLOSE, OPEN } from '../lower/marks.js';
import { once } from '../lower/once.js';
import { isDynamic } from '../types.js';
import type { ScalarType } from '../types.js';
import type { Marking } from './redact-groups.js';
import { markedBy, markedByAll, regexOf } from './redaction-marks.js';

/**
 * The function behind `redact` for values of a type. In a dynamic value it changes every text, at any depth. The markings are an array of
 * `Marking` as JSON.
 */
export const redactionOf = (type: ScalarType): Overload => ({
  params: [
    param('value', type),
    param('markings', 'string', { constant: true }),
    param('token', 'string', { constant: true }),
    param('hash', 'bool', { constant: true }),
  ],
  returns: type,
  lower: ([value, markings, token, hash]) => {
    const secret: Secret = {
      markings: JSON.parse(String(markings!.constant)) as readonly Marking[],
      token: String(token!.constant),
      hash: hash!.constant === true,
    };
    const given = call('ifNull', value!.sql, literal(''));
    const all = isDynamic(type) ? hiddenInJson(given, secret) : hidden(given, secret);
    return call('if', call('isNull', value!.sql), value!.sql, all);
  },
});

interface Secret {
  readonly markings: readonly Marking[];
  readonly token: string;
  readonly hash: boolean;
}

/** Keys with their colon, texts, and everything between them. */
const TOKENS = String.raw`"(?:[^"\\]|\\.)*"\s*:|"(?:[^"\\]|\\.)*"|[^"]+`;

/** A JSON text in which the matches within texts are hidden. */
function hiddenInJson(json: Expr, secret: Secret): Expr {
  const token = column('token');
  const isText = and(call('startsWith', token, literal('"')), call('endsWith', token, literal('"')));
  // The engine reads a text with half a surrogate pair as empty. Its matches must be hidden too, so its JSON is searched instead.
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

/** A text in which the matches are hidden. */
function hidden(text: Expr, secret: Secret): Expr {
  const [first, ...others] = secret.markings;
  if (first === undefined) return text;
  if (others.length === 0) return unmarked(markedBy(text, first), secret);
  return once(text, (whole) => {
    const matches = secret.markings.map((marking) => call('match', whole, regexOf(marking)));
    return call('if', or(...matches), unmarked(markedByMatching(whole, secret.markings, matches), secret), whole);
  });
}

/** The text marked by all markings. Where one alone matches, as in most texts, nothing has to be joined, which takes far longer than the marks. */
function markedByMatching(text: Expr, markings: readonly Marking[], matches: readonly Expr[]): Expr {
  const alone = markings.flatMap((marking, i) => [
    not(or(...matches.filter((_, other) => other !== i))),
    markedBy(text, marking),
  ]);
  return call('multiIf', ...alone, markedByAll(text, markings));
}

/** A marked text in which each secret is replaced by the token or its hash. */
function unmarked(marked: Expr, { token, hash }: Secret): Expr {
  const pair = call('splitByString', CLOSE, column('p'));
  const secret = call('arrayElement', pair, integer(1));
  const rest = call('arrayElement', pair, integer(2));
  const instead = call('if', call('empty', secret), literal(''), hash ? hashOf(secret) : tokenFor(secret, token));
  const hide = lambda(['p'], call('concat', instead, rest));
  return once(call('splitByString', OPEN, marked), (parts) =>
    call(
      'concat',
      call('arrayElement', parts, integer(1)),
      call('arrayStringConcat', call('arrayMap', hide, call('arraySlice', parts, integer(2)))),
    ),
  );
}

function hashOf(secret: Expr): Expr {
  const digest = call('base64URLEncode', call('unhex', call('hex', call('sipHash64', secret))));
  return call('substring', digest, integer(1), integer(8));
}

const tokenFor = (secret: Expr, token: string): Expr =>
  [...token].length === 1 ? call('repeat', literal(token), call('lengthUTF8', secret)) : literal(token);
