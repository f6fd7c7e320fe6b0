import { call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { elementTexts, memberText } from '../../lower/json/json-parts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { holdsArray, holdsObject, membersOf, part } from '../json-text.js';
import { filterElements, mapElements } from './elements.js';

/**
 * A step of a path into JSON: a member, an element (a negative place counts from the end), or all
 * of them.
 */
export type PathStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'element'; readonly place: number }
  | { readonly kind: 'all' };

type PathReading =
  | { readonly ok: true; readonly steps: readonly PathStep[] }
  | { readonly ok: false; readonly message: string };

const forms = {
  member: /^\.([\p{L}_$][\p{L}\p{N}_$-]*)/u,
  quoted: /^\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/su,
  element: /^\[\s*(-?\d{1,9})\s*\]/,
  all: /^(?:\.\*|\[\s*\*\s*\])/,
} as const;

/**
 * Reads a JSONPath of members, elements and `*`: `$[*].id`, `$.a['b c'][0]`. The leading `$` may be
 * left out.
 */
export function readPath(text: string): PathReading {
  let rest = text.trim();
  if (rest.startsWith('$')) rest = rest.slice(1);
  else if (rest !== '' && !/^[.[]/.test(rest)) rest = `.${rest}`;
  const steps: PathStep[] = [];
  while (rest !== '') {
    const step = readStep(rest);
    if (step === undefined)
      return {
        ok: false,
        message: `cannot read the path at "${rest}"; it consists of $, .name, ['name'], [0] and [*], as in $[*].id`,
      };
    steps.push(step.step);
    rest = rest.slice(step.length);
  }
  return { ok: true, steps };
}

function readStep(rest: string): { readonly step: PathStep; readonly length: number } | undefined {
  const all = forms.all.exec(rest);
  if (all !== null) return { step: { kind: 'all' }, length: all[0].length };
  const member = forms.member.exec(rest);
  if (member !== null) return { step: { kind: 'member', name: member[1]! }, length: member[0].length };
  const quoted = forms.quoted.exec(rest);
  if (quoted !== null) {
    const name = (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/gsu, '$1');
    return { step: { kind: 'member', name }, length: quoted[0].length };
  }
  const element = forms.element.exec(rest);
  if (element !== null) return { step: { kind: 'element', place: Number(element[1]) }, length: element[0].length };
  return undefined;
}

/** The matches of a path in a JSON text, as `Array(String)` of JSON texts. */
export function valueAtPath(steps: readonly PathStep[], json: Expr): Expr {
  return steps.reduce(follow, call('array', call('ifNull', json, literal(''))));
}

function follow(found: Expr, step: PathStep): Expr {
  if (step.kind === 'all') return call('arrayFlatten', mapElements(found, 'value', contents));
  const inside = mapElements(found, 'value', (value) => {
    if (step.kind === 'member')
      // Without this test, the engine would also look up the key in an array.
      return call('if', holdsObject(value), memberText(value, literal(step.name)), literal(''));
    const place = integer(step.place < 0 ? step.place : step.place + 1);
    return call('if', holdsArray(value), memberText(value, place), literal(''));
  });
  return filterElements(inside, 'value', (value) => call('notEquals', value, literal('')));
}

/** Elements of an array, values of an object; empty for anything else. */
const contents = (value: Expr): Expr =>
  shareSubexpression(value, (json) =>
    call(
      'if',
      holdsObject(json),
      mapElements(membersOf(json), 'member', (member) => part(member, 2)),
      elementTexts(json),
    ),
  );
