import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { bindScalar, bindSingle } from '../bind/context.js';
import { param } from '../functions/define.js';
import type { Overload } from '../functions/define.js';
import { readRegex } from '../functions/re2.js';
import { CLOSE, groupsMarked, OPEN } from './redact-groups.js';
import { constant } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { Computed } from '../plan/nodes.js';
import type { Field } from '../plan/schema.js';
import { withoutRest, fieldNamed } from '../plan/schema.js';
import { project } from './columns.js';
import { isDynamic } from '../types.js';
import type { Span } from '../syntax/ast.js';
import type { BindOperator, OperatorContext, OperatorOf } from './define.js';

/**
 * `redact [replaceToken="*"] [replaceHash=true] [redactGroups=true] regex, … [on field, …]`: what matches is made unreadable, in
 * the given fields or in all texts. A token of one character stands for each character, a longer one for the whole match.
 */
export const bindRedact: BindOperator<'redact'> = (operator, input, context) => {
  const settings = settingsOf(operator, context);
  const regexes = operator.patterns.flatMap((pattern) => regexesOf(pattern, context));
  if (settings === undefined || regexes.length !== operator.patterns.length) return input;
  const marked = regexes.map((regex) =>
    settings.groups ? groupsMarked(regex) : { regex: `(${regex})`, replacement: `${OPEN}\\1${CLOSE}` },
  );
  for (const name of operator.on) {
    const field = fieldNamed(input.schema, name.text);
    if (field === undefined) bindScalar({ kind: 'name', name, span: name.span }, context.scalarScope(input.schema));
    else warnOfOthers(field, name.span, context);
  }
  const chosen = new Set(operator.on.map((name) => name.text));
  const computed: Computed[] = [];
  const fields = input.schema.fields.map((field): Field => {
    if (chosen.size > 0 && !chosen.has(field.name)) return field;
    const readings = field.readings.map((reading) => {
      if (reading.type !== 'string') return reading;
      const id = context.query.fresh(field.name);
      const text: Scalar = { kind: 'column', ...reading };
      const expr = marked.reduce<Scalar>(
        (value, { regex, replacement }) => ({
          kind: 'call',
          type: 'string',
          name: 'redact',
          overload: redaction,
          args: [
            value,
            ...[`(?-s)${regex}`, replacement, settings.token].map((part) => constant('string', part)),
            constant('bool', settings.hash),
          ],
        }),
        text,
      );
      computed.push({ id, expr });
      return { type: reading.type, id };
    });
    return { ...field, readings };
  });
  const redacted = project(input, fields, computed);
  // What is not named here would pass unredacted.
  return chosen.size > 0 ? redacted : { ...redacted, schema: withoutRest(redacted.schema) };
};

/** Who names a field trusts that nothing in it is left readable. */
function warnOfOthers({ name, readings }: Field, span: Span, { query }: OperatorContext): void {
  const types = readings.map(({ type }) => type);
  const others = types.filter((type) => (types.includes('string') ? isDynamic(type) : true));
  if (others.length === 0) return;
  const problem = `redact changes texts, and what ${name} has of ${others.join(' and ')} stays as it is`;
  query.report.warning('type_mismatch', span, `${problem}; make it a text first: extend ${name} = tostring(…)`);
}

interface Settings {
  readonly token: string;
  readonly hash: boolean;
  readonly groups: boolean;
}

function settingsOf({ options, span }: OperatorOf<'redact'>, context: OperatorContext): Settings | undefined {
  const { report } = context.query;
  let token: string | undefined;
  let hash = false;
  let groups = false;
  for (const { name, value } of options) {
    const scalar = bindSingle(value, context.scalarScope({ fields: [] }));
    const given = scalar.kind === 'constant' ? scalar.value : undefined;
    if (name.text === 'replaceToken' && typeof given === 'string') token = given;
    else if (name.text === 'replaceHash' && typeof given === 'boolean') hash = given;
    else if (name.text === 'redactGroups' && typeof given === 'boolean') groups = given;
    else {
      report.error(
        'argument_type',
        value.span,
        'redact has the options replaceToken="…", replaceHash=true and redactGroups=true',
      );
      return undefined;
    }
  }
  if (hash && token !== undefined) {
    report.error('argument_type', span, 'redact replaces by a token or by a hash, not by both');
    return undefined;
  }
  return { token: token ?? '*', hash, groups };
}

/** A regular expression, or several in an array or in the values of an object. */
function regexesOf(pattern: OperatorOf<'redact'>['patterns'][number], context: OperatorContext): readonly string[] {
  const scalar = bindSingle(pattern, context.scalarScope({ fields: [] }));
  const text = scalar.kind === 'constant' && typeof scalar.value === 'string' ? scalar.value : undefined;
  if (text === undefined) {
    context.query.report.error('not_constant', pattern.span, 'redact needs constant regular expressions');
    return [];
  }
  const list: readonly unknown[] = scalar.type === 'string' ? [text] : Object.values(JSON.parse(text) as object);
  for (const regex of list) {
    const reading = readRegex(String(regex));
    if (reading.ok) continue;
    context.query.report.error('argument_type', pattern.span, reading.message);
    return [];
  }
  // Several in one pattern: whichever matches.
  return [list.length === 1 ? String(list[0]) : list.map((regex) => `(?:${String(regex)})`).join('|')];
}

const redaction: Overload = {
  params: [
    param('text', 'string'),
    param('regex', 'string', { constant: true }),
    param('replacement', 'string', { constant: true }),
    param('token', 'string', { constant: true }),
    param('hash', 'bool', { constant: true }),
  ],
  returns: 'string',
  lower: ([text, regex, replacement, token, hash]) => {
    const parts = call(
      'splitByString',
      literal(OPEN),
      call('replaceRegexpAll', call('ifNull', text!.sql, literal('')), regex!.sql, replacement!.sql),
    );
    const pair = call('splitByString', literal(CLOSE), column('p'));
    const secret = call('arrayElement', pair, integer(1));
    const rest = call('arrayElement', pair, integer(2));
    const hidden = call(
      'if',
      call('empty', secret),
      literal(''),
      replaced(secret, String(token!.constant), hash!.constant === true),
    );
    const others = call('arrayMap', lambda(['p'], call('concat', hidden, rest)), call('arraySlice', parts, integer(2)));
    const all = call('concat', call('arrayElement', parts, integer(1)), call('arrayStringConcat', others));
    return call('if', call('isNull', text!.sql), text!.sql, all);
  },
};

function replaced(secret: Expr, token: string, hash: boolean): Expr {
  if (hash) {
    const digest = call('base64URLEncode', call('unhex', call('hex', call('sipHash64', secret))));
    return call('substring', digest, integer(1), integer(8));
  }
  return [...token].length === 1 ? call('repeat', literal(token), call('lengthUTF8', secret)) : literal(token);
}
