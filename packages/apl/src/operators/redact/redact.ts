import { bindScalar, bindSingle } from '../../bind/context.js';
import { isMemberOf, isObject } from '../../bind/names/objects.js';
import { readRegex } from '../../functions/re2.js';
import { groupsMarked, matchMarked } from './redact-groups.js';
import type { RedactionRegex } from './redact-groups.js';
import { redactionOf } from './redaction.js';
import { callOf, columnOf, constant, constantText } from '../../plan/scalar.js';
import type { ComputedColumn } from '../../plan/nodes.js';
import type { Field } from '../../plan/schema.js';
import { withoutRest, fieldNamed } from '../../plan/schema.js';
import { project } from '../columns.js';
import { warnOfKeysLeft } from '../tables/keys-left.js';
import { isDynamic } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import type { Span } from '../../syntax/ast.js';
import type { BindOperator, OperatorContext, OperatorOf } from '../define.js';

/**
 * `redact [replaceToken="*"] [replaceHash=true] [redactGroups=true] regex, … [on field, …]`: makes
 * matches unreadable, in the given fields or in all texts. A token of one character replaces each
 * character, a longer one the whole match.
 */
export const bindRedact: BindOperator<'redact'> = (operator, input, context) => {
  const settings = settingsOf(operator, context);
  const markings = operator.patterns.map((pattern) => markingsOf(pattern, settings?.groups === true, context));
  if (settings === undefined || markings.includes(undefined)) return input;
  const marked = JSON.stringify(markings.flatMap((all) => all ?? []));
  for (const name of operator.on) {
    const field = fieldNamed(input.schema, name.text);
    if (field === undefined && !isObject(name.text, input.schema))
      bindScalar({ kind: 'name', name, span: name.span }, context.scalarScope(input.schema));
    else if (field !== undefined) warnOfOthers(field, name.span, context);
    warnOfKeysLeft(name, 'redact the map field as well', input, context);
  }
  const chosen = new Set(operator.on.map((name) => name.text));
  const isMeant = (name: string, field: Field): boolean =>
    field.name === name || (isMemberOf(name, field) && isObject(name, input.schema));
  const computed: ComputedColumn[] = [];
  const fields = input.schema.fields.map((field): Field => {
    if (chosen.size > 0 && !operator.on.some((name) => isMeant(name.text, field))) return field;
    const readings = field.readings.map((reading) => {
      const { type } = reading;
      if (!holdsTexts(type)) return reading;
      const id = context.query.fresh(field.name);
      const { token, hash } = settings;
      const args = [columnOf(reading), constant('string', marked), constant('string', token), constant('bool', hash)];
      computed.push({ id, expr: callOf('redact', redactionOf(type), args) });
      return { type, id };
    });
    return { ...field, readings };
  });
  const redacted = project(input, fields, computed);
  // The rest, which holds fields not listed in the schema, would pass unredacted, so it is left
  // out.
  return chosen.size > 0 ? redacted : { ...redacted, schema: withoutRest(redacted.schema) };
};

const holdsTexts = (type: ScalarType): boolean => type === 'string' || isDynamic(type);

/**
 * Warns that a named field has values of types that stay readable: users who name a field expect
 * none.
 */
function warnOfOthers({ name, readings }: Field, span: Span, { query }: OperatorContext): void {
  const types = readings.map(({ type }) => type);
  if (types.some(holdsTexts)) return;
  const problem = `redact changes texts, and what ${name} has of ${types.join(' and ')} stays as it is`;
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
    const scalar = bindSingle(value, context.constantScope);
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

/**
 * The markings of one argument: a string, an array of strings, or an object whose values are
 * strings; undefined for other arguments.
 */
function markingsOf(
  pattern: OperatorOf<'redact'>['patterns'][number],
  groups: boolean,
  context: OperatorContext,
): readonly RedactionRegex[] | undefined {
  const { report } = context.query;
  const scalar = bindSingle(pattern, context.constantScope);
  const text = constantText(scalar);
  if (text === undefined) {
    report.error('not_constant', pattern.span, 'redact needs constant regular expressions');
    return undefined;
  }
  const list: readonly unknown[] = scalar.type === 'string' ? [text] : Object.values(JSON.parse(text) as object);
  const all: RedactionRegex[] = [];
  for (const regex of list.map(String)) {
    const reading = readRegex(regex);
    if (!reading.ok) {
      report.error('argument_type', pattern.span, reading.message);
      return undefined;
    }
    const { markings, more } = groups ? groupsMarked(regex) : matchMarked(regex);
    if (more !== undefined) report.warning('note', pattern.span, `redact hides more of "${regex}": ${more}`);
    all.push(...markings);
  }
  return all;
}
