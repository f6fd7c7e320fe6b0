import { bindSingle } from '../bind/context.js';
import { chartKinds } from '../syntax/lexing/keywords.js';
import { findNearest } from '../syntax/hints/suggestions.js';
import type { BindOperator } from './define.js';

/**
 * `render timechart with (title = "…")`: a hint for clients that draw the result; rows stay as they
 * are.
 */
export const bindRender: BindOperator<'render'> = ({ chart, options }, input, context) => {
  const scope = context.constantScope;
  const hints = options.flatMap(({ name, value }): readonly (readonly [string, string | number | boolean])[] => {
    // Values such as `xcolumn = _time` are names, not texts.
    if (value.kind === 'name') return [[name.text, value.name.text]];
    const scalar = bindSingle(value, scope);
    if (scalar.kind !== 'constant' || scalar.value === null) {
      context.query.report.warning(
        'not_constant',
        value.span,
        `${name.text} of render is not a constant and has no effect`,
      );
      return [];
    }
    return [[name.text, typeof scalar.value === 'bigint' ? Number(scalar.value) : scalar.value]];
  });
  const { text, span } = chart;
  if (!chartKinds.some((kind) => kind === text)) {
    const near = findNearest(text, chartKinds);
    const suggestion = near === undefined ? '' : `; did you mean ${near}?`;
    const fix = near === undefined ? undefined : { title: `Write ${near}`, replacement: near };
    context.query.report.warning('note', span, `${text} is no chart that is known everywhere${suggestion}`, fix);
  }
  context.chart({ kind: text, options: Object.fromEntries(hints) });
  return input;
};
