import { and, call, column, integer, lambda, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from '../../lower/equality.js';
import { CLOSE, OPEN } from '../../lower/strings/text-marks.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import type { LoweredArgument } from '../define.js';
import type { Pattern } from './pattern.js';
import { engineRegex } from './pattern.js';

/** The engine's replacements only know groups of one digit. */
const MAX_GROUP = 9;

/**
 * `text` with every match replaced. In the replacement `$1`, `${1}`, `${name}` are groups, `$0` is
 * the match and `$$` a dollar sign; groups that the expression does not have are empty. The engine
 * uses `\1` and `\\`, but its check of the groups takes the 1 of `\\1` for a group as well: empty
 * groups are added so that the check passes.
 */
export function replaceAll(text: Expr, pattern: Pattern, rewrite: LoweredArgument): Expr {
  const groups = pattern.shape.groups.length;
  if (typeof rewrite.constant === 'string') {
    const replacement = translatePattern(rewrite.constant, pattern);
    const highest = Math.max(0, ...[...replacement.matchAll(/\\(?=(\d))/g)].map((found) => Number(found[1])));
    return replacedBy(text, pattern, withGroups(pattern, highest - groups), literal(replacement));
  }
  const replacement = translatedWhileRunning(rewrite.sql, pattern);
  return whereAll([rewrite.sql], replacedBy(text, pattern, withGroups(pattern, MAX_GROUP - groups), replacement));
}

/**
 * The engine also finds empty matches between the bytes of a character and directly after another
 * match, the latter not always at the end of a text; their replacements are removed again.
 */
function replacedBy(text: Expr, { shape }: Pattern, regex: Expr, replacement: Expr): Expr {
  if (!shape.mayBeEmpty || (replacement.kind === 'literal' && replacement.value === ''))
    return call('replaceRegexpAll', text, regex, replacement);
  const marked = call('concat', OPEN, replacement, CLOSE, literal('\\0'), CLOSE);
  return whereAll([text], withoutWrong(call('replaceRegexpAll', call('assumeNotNull', text), regex, marked)));
}

/**
 * Removes the marks from a text, and the marked replacements of empty matches that follow a match
 * or precede a continuation byte of a character.
 */
function withoutWrong(marked: Expr): Expr {
  const part = (index: number): Expr => call('arrayElement', call('splitByString', CLOSE, column('p')), integer(index));
  const [put, match, rest] = [part(1), part(2), part(3)];
  const continues = and(
    call('greaterOrEquals', rest, call('char', integer(0x80))),
    call('less', rest, call('char', integer(0xc0))),
  );
  const follows = and(call('empty', match), call('endsWith', column('before'), CLOSE));
  const kept = call('concat', call('if', or(continues, follows), literal(''), put), rest);
  return shareSubexpression(call('splitByString', OPEN, marked), (parts) =>
    call(
      'concat',
      call('arrayElement', parts, integer(1)),
      call(
        'arrayStringConcat',
        call('arrayMap', lambda(['p', 'before'], kept), call('arrayPopFront', parts), call('arrayPopBack', parts)),
      ),
    ),
  );
}

/**
 * The expression with more groups. An empty one is written differently: the engine would leave
 * every text as it is.
 */
const withGroups = (pattern: Pattern, missing: number): Expr =>
  engineRegex(
    missing <= 0 && pattern.text !== '' ? pattern.text : `(?:${pattern.text})${'()'.repeat(Math.max(0, missing))}`,
  );

function groupIndex(name: string, { shape }: Pattern): string {
  const index = /^\d+$/.test(name) ? Number(name) : shape.groups.findIndex((group) => group.name === name) + 1;
  const known = index <= Math.min(shape.groups.length, MAX_GROUP) && (index > 0 || name === '0');
  return known ? `\\${index}` : '';
}

const translatePattern = (rewrite: string, pattern: Pattern): string =>
  rewrite.replace(/\\|\$\$|\$(?:(\d)|\{(\w+)\})/g, (found, digit: string | undefined, name: string | undefined) => {
    if (found === '\\') return '\\\\';
    return found === '$$' ? '$' : groupIndex(digit ?? name ?? '', pattern);
  });

function translatedWhileRunning(rewrite: Expr, pattern: Pattern): Expr {
  const names = pattern.shape.groups.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const digits = Array.from({ length: MAX_GROUP + 1 }, (_, i) => String(i));
  const known = [
    ...digits.map((d) => [`$${d}`, d] as const),
    ...[...digits, ...names].map((n) => [`\${${n}}`, n] as const),
  ];
  const piece = column('piece');
  const texts = (all: readonly string[]): Expr => call('array', ...all.map((one) => literal(one)));
  const translation = call(
    'multiIf',
    call('equals', piece, literal('$$')),
    literal('$'),
    call('and', call('startsWith', piece, literal('$')), call('greater', call('length', piece), integer(1))),
    call(
      'transform',
      piece,
      texts(known.map(([written]) => written)),
      texts(known.map(([, name]) => groupIndex(name, pattern))),
      literal(''),
    ),
    call('replaceAll', piece, literal('\\'), literal('\\\\')),
  );
  const pieces = call('extractAll', rewrite, literal('\\$\\$|\\$[0-9]|\\$\\{\\w+\\}|\\$|[^$]+'));
  return call('arrayStringConcat', call('arrayMap', lambda(['piece'], translation), pieces));
}
