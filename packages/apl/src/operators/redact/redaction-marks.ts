import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { CLOSE, OPEN } from '../../lower/strings/text-marks.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import type { RedactionRegex } from './redact-groups.js';

/**
 * The values of a mask, one for each byte. Where masks differ the greater value wins, so that
 * secrets that only touch stay separate.
 */
const PLAIN = call('toUInt8', integer(0));
const FIRST = call('toUInt8', integer(1));
const LATER = call('toUInt8', integer(2));

export const regexOf = ({ regex }: RedactionRegex): Expr => literal(`(?-s)${regex}`);

/** The text with marks around the secrets of one marking. */
export function markedBy(text: Expr, marking: RedactionRegex): Expr {
  const groups = marking.secrets.flatMap((secret, i) => {
    const group = literal(`\\${i + 1}`);
    return secret ? [OPEN, group, CLOSE] : [group];
  });
  return call('replaceRegexpAll', text, regexOf(marking), call('concat', ...groups));
}

/**
 * The text with marks around the secrets of all markings. Each marking is applied to the original
 * text: text hidden by another one might no longer match, or be hidden twice. Overlapping secrets
 * are merged.
 */
export function markedByAll(text: Expr, markings: readonly RedactionRegex[]): Expr {
  const names = markings.map((_, i) => `m${i}`);
  const strongest = lambda(names, call('greatest', ...names.map((name) => column(name))));
  const masks = call('arrayMap', strongest, ...markings.map((marking) => maskOf(markedBy(text, marking))));
  const [byte, here, before] = [column('byte'), column('here'), column('before')];
  const ends = and(call('notEquals', before, PLAIN), call('notEquals', here, LATER));
  const begins = call('equals', here, FIRST);
  const piece = call('concat', call('if', ends, CLOSE, literal('')), call('if', begins, OPEN, literal('')), byte);
  return shareSubexpression(masks, (all) => {
    const shifted = call('arrayPopBack', call('arrayPushFront', all, PLAIN));
    const bytes = call('splitByString', literal(''), text);
    const pieces = call('arrayMap', lambda(['byte', 'here', 'before'], piece), bytes, all, shifted);
    const last = call('if', call('equals', call('arrayElement', all, integer(-1)), PLAIN), literal(''), CLOSE);
    return call('concat', call('arrayStringConcat', pieces), last);
  });
}

/**
 * The mask of a marked text: whether each byte of the original is plain, the first of a secret, or
 * a later one.
 */
function maskOf(marked: Expr): Expr {
  const part = column('p');
  const repeatMark = (value: Expr, count: Expr): Expr => call('arrayWithConstant', count, value);
  // Bytes of the secret. On some processors the engine's `position` does not find a byte that is no
  // UTF-8 text; splitting finds it on all.
  const secret = call('toInt64', call('length', call('arrayElement', call('splitByString', CLOSE, part), integer(1))));
  const maskOfPart = call(
    'arrayConcat',
    repeatMark(FIRST, call('least', secret, integer(1))),
    repeatMark(LATER, call('greatest', call('minus', secret, integer(1)), integer(0))),
    repeatMark(PLAIN, call('minus', call('length', part), call('plus', secret, integer(1)))),
  );
  return shareSubexpression(call('splitByString', OPEN, marked), (parts) =>
    call(
      'arrayConcat',
      repeatMark(PLAIN, call('length', call('arrayElement', parts, integer(1)))),
      call('arrayFlatten', call('arrayMap', lambda(['p'], maskOfPart), call('arraySlice', parts, integer(2)))),
    ),
  );
}
