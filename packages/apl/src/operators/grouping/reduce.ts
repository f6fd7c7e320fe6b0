import { call, literal } from '@millrace/sql';
import { textOf } from '../../bind/values/convert-text.js';
import { bindScalar } from '../../bind/context.js';
import { defineOverload, param } from '../../functions/define.js';
import type { Plan } from '../../plan/nodes.js';
import { callOf } from '../../plan/scalar.js';
import type { NamedExpr, Span } from '../../syntax/ast.js';
import { project } from '../columns.js';
import type { BindOperator } from '../define.js';
import { aggregatePlan } from './summarize.js';

/**
 * `reduce by E`: texts that differ only in variable parts (numbers, identifiers, addresses, quoted
 * values) become one pattern with `*`. The columns are Pattern, Count and one of the texts as
 * Representative; the most frequent pattern comes first.
 */
export const bindReduce: BindOperator<'reduce'> = ({ by, options, span }, input, context): Plan => {
  for (const { name } of options)
    if (withoutEffect.has(name.text)) {
      const message = `${name.text} has no effect: what varies is recognized by its shape`;
      context.query.report.warning('note', name.span, message);
    } else context.query.report.error('name', name.span, `reduce has no option ${name.text}`);
  const scope = context.scalarScope(input.schema);
  const text = textOf(bindScalar(by, scope));
  const [textId, patternId] = [context.query.fresh('text'), context.query.fresh('Pattern')];
  const prepared = project(
    input,
    [
      { name: 'text', readings: [{ type: 'string', id: textId }] },
      { name: 'Pattern', readings: [{ type: 'string', id: patternId }] },
    ],
    [
      { id: textId, expr: text },
      { id: patternId, expr: callOf('reduce', template, [text]) },
    ],
  );
  const aggregate = (name: string, callee: string, args: readonly string[]): NamedExpr => ({
    name: word(name, span),
    value: {
      kind: 'call',
      callee: word(callee, span),
      args: args.map((arg) => ({ value: { kind: 'name', name: word(arg, span), span } })),
      span,
    },
    span,
  });
  return aggregatePlan(
    prepared,
    [{ value: { kind: 'name', name: word('Pattern', span), span }, span }],
    [aggregate('Count', 'count', []), aggregate('Representative', 'take_any', ['text'])],
    context.scalarScope(prepared.schema),
  );
};

const word = (text: string, span: Span): { readonly text: string; readonly quoted: boolean; readonly span: Span } => ({
  text,
  quoted: true,
  span,
});

/** Options that have an effect only in Kusto, where patterns leave out rare messages. */
const withoutEffect: ReadonlySet<string> = new Set(['threshold', 'characters']);

/** The variable parts of messages, longer kinds first: each becomes a `*` in the pattern. */
const variable = [
  '"[^"]*"',
  "'[^']*'",
  // UUIDs, times, mail addresses, network addresses, hexadecimal numbers, and decimal numbers with
  // their units.
  '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}',
  '\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?',
  '[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+',
  '\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?\\b',
  '\\b0x[0-9a-fA-F]+\\b',
  '\\b[0-9a-fA-F]*\\d[0-9a-fA-F]{7,}\\b',
  '[+-]?\\b\\d+(?:[.,]\\d+)*(?:ns|us|µs|ms|s|m|h|d|%|[kKMGT]?i?B)?\\b',
];

const template = defineOverload({
  params: [param('text', 'string')],
  returns: 'string',
  lower: ([text]) => {
    const starred = call(
      'replaceRegexpAll',
      text.sql,
      literal(`(?-s)${variable.map((regex) => `(?:${regex})`).join('|')}`),
      literal('*'),
    );
    // Lists that differ only in length give the same pattern.
    return call('replaceRegexpAll', starred, literal('\\*(?:[ ,;:/]*\\*)+'), literal('*'));
  },
});
