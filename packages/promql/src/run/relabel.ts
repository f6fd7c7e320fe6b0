import { EvaluationProblem } from '../model/problems.js';
import { type Labels, labelsOf } from '../model/labels.js';
import { compileRegex } from '../syntax/regex.js';
import { type GridSeries, joined } from './values.js';

/** Functions that change labels. */

const reference = /\$(?:\{(\w+)\}|(\w+)|\$)/g;

/** @throws EvaluationProblem for an invalid expression, or labels that become equal */
export function replaceLabel(
  series: readonly GridSeries[],
  [target = '', replacement = '', source = '', pattern = '']: readonly string[],
): readonly GridSeries[] {
  const regex = compileRegex(pattern);
  if (regex === undefined)
    throw new EvaluationProblem(`invalid regular expression in label_replace(): ${JSON.stringify(pattern)}`);
  requireLabel(target, 'label_replace');
  const named = regex.namedGroups();
  const changed = (labels: Labels): Labels => {
    const matcher = regex.matcher(labels.get(source) ?? '');
    if (!matcher.matches()) return labels;
    const text = replacement.replace(reference, (whole, braced?: string, plain?: string) => {
      const name = braced ?? plain;
      if (name === undefined) return whole.slice(1);
      const group = /^\d+$/.test(name) ? Number(name) : named[name];
      return group === undefined || group > matcher.groupCount() ? '' : (matcher.group(group) ?? '');
    });
    return labelsOf([...labels, [target, text]]);
  };
  return joined(series.map((each) => ({ ...each, labels: changed(each.labels) })));
}

/** @throws EvaluationProblem for labels that become equal */
export function joinLabels(
  series: readonly GridSeries[],
  [target = '', separator = '', ...sources]: readonly string[],
): readonly GridSeries[] {
  requireLabel(target, 'label_join');
  return joined(
    series.map((each) => ({
      ...each,
      labels: labelsOf([...each.labels, [target, sources.map((name) => each.labels.get(name) ?? '').join(separator)]]),
    })),
  );
}

function requireLabel(name: string, fn: string): void {
  if (name === '') throw new EvaluationProblem(`invalid destination label name in ${fn}(): `);
}
