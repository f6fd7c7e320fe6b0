import { and, call, column, integer, lambda, literal, not, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import type { Overload } from '../../functions/define.js';
import { contentOf } from '../../functions/json-text.js';
import { CLOSE, OPEN } from '../../lower/strings/text-marks.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { isDynamic } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import type { RedactionRegex } from './redact-groups.js';
import { markedBy, markedByAll, regexOf } from './redaction-marks.js';

/**
 * The function of `redact` for values of a type. In a dynamic value it changes every string, at any
 * depth. The markings are an array of `RedactionRegex` as JSON.
 */
export const redactionOf = (type: ScalarType): Overload =>
  defineOverload({
    params: [
      param('value', type),
      param('markings', 'string', { constant: true }),
      param('token', 'string', { constant: true }),
      param('hash', 'bool', { constant: true }),
    ],
    returns: type,
    lower: ([value, markings, token, hash]) => {
      const secret: Secret = {
        markings: JSON.parse(String(markings.constant)) as readonly RedactionRegex[],
        token: String(token.constant),
        hash: hash.constant === true,
      };
      const given = call('ifNull', value.sql, literal(''));
      const all = isDynamic(type) ? hiddenInJson(given, secret) : hideSecrets(given, secret);
      return call('if', call('isNull', value.sql), value.sql, all);
    },
  });

interface Secret {
  readonly markings: readonly RedactionRegex[];
  readonly token: string;
  readonly hash: boolean;
}

/**
 * Replacements of escaped backslashes and quotes while a JSON text is in pieces: the second
 * character is a byte that never occurs in UTF-8, as in `text-marks.ts`, so that every quote begins
 * or ends a string, and a piece with any escape has a backslash.
 */
const escapes: readonly (readonly [string, Expr])[] = [
  ['\\\\', call('char', integer(0x5c), integer(0xfc))],
  ['\\"', call('char', integer(0x5c), integer(0xfd))],
];
const withoutEscapes = (json: Expr): Expr =>
  escapes.reduce((text, [escape, mark]) => call('replaceAll', text, literal(escape), mark), json);
const withEscapes = (text: Expr): Expr =>
  escapes.reduceRight((marked, [escape, mark]) => call('replaceAll', marked, mark, literal(escape)), text);

/**
 * A JSON text in which the matches within texts are hidden. It is cut at its quotes, so that each
 * second piece is the inside of a text or a key; the piece after a key begins with a colon.
 */
function hiddenInJson(json: Expr, secret: Secret): Expr {
  const [piece, place, next] = [column('piece'), column('place'), column('next')];
  const isText = and(
    call('equals', call('bitAnd', place, integer(1)), integer(0)),
    not(call('match', next, literal(String.raw`^\s*:`))),
  );
  const rewritten = shareSubexpression(contentOfPiece(piece), (text) => {
    const changed = shareSubexpression(hideSecrets(text, secret), (other) =>
      call('if', call('equals', other, text), piece, insideOf(call('toJSONString', other))),
    );
    // Most texts match nothing.
    return call('if', or(...secret.markings.map((marking) => call('match', text, regexOf(marking)))), changed, piece);
  });
  const replaced = lambda(['piece', 'place', 'next'], call('if', isText, rewritten, piece));
  return shareSubexpression(call('splitByChar', literal('"'), withoutEscapes(json)), (pieces) => {
    const following = call('arrayPushBack', call('arrayPopFront', pieces), literal(''));
    const all = call('arrayMap', replaced, pieces, call('arrayEnumerate', pieces), following);
    return withEscapes(call('arrayStringConcat', all, literal('"')));
  });
}

/** The string between two quotes. Most have no escapes and need no decoding. */
function contentOfPiece(piece: Expr): Expr {
  const escaped = call('greater', call('position', piece, literal('\\')), integer(0));
  const json = withEscapes(piece);
  const content = contentOf(call('concat', literal('"'), json, literal('"')));
  // The engine reads a text with half a surrogate pair as empty. Its matches must be hidden too, so
  // its JSON is searched instead.
  return call('if', escaped, call('if', call('notEmpty', content), content, json), piece);
}

/** A JSON string without its quotes. */
const insideOf = (json: Expr): Expr =>
  call('substring', json, integer(2), call('minus', call('length', json), integer(2)));

/** A text in which the matches are hidden. */
function hideSecrets(text: Expr, secret: Secret): Expr {
  const [first, ...others] = secret.markings;
  if (first === undefined) return text;
  if (others.length === 0) return removeMarks(markedBy(text, first), secret);
  return shareSubexpression(text, (whole) => {
    const matches = secret.markings.map((marking) => call('match', whole, regexOf(marking)));
    return call('if', or(...matches), removeMarks(markedByMatching(whole, secret.markings, matches), secret), whole);
  });
}

/**
 * The text marked by all markings. Where one alone matches, as in most texts, nothing has to be
 * joined, which takes far longer than the marks.
 */
function markedByMatching(text: Expr, markings: readonly RedactionRegex[], matches: readonly Expr[]): Expr {
  const alone = markings.flatMap((marking, i) => [
    not(or(...matches.filter((_, other) => other !== i))),
    markedBy(text, marking),
  ]);
  return call('multiIf', ...alone, markedByAll(text, markings));
}

/** A marked text in which each secret is replaced by the token or its hash. */
function removeMarks(marked: Expr, { token, hash }: Secret): Expr {
  const pair = call('splitByString', CLOSE, column('p'));
  const secret = call('arrayElement', pair, integer(1));
  const rest = call('arrayElement', pair, integer(2));
  const replacement = call('if', call('empty', secret), literal(''), hash ? hashOf(secret) : tokenFor(secret, token));
  const hide = lambda(['p'], call('concat', replacement, rest));
  return shareSubexpression(call('splitByString', OPEN, marked), (parts) =>
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
