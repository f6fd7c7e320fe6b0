import { BoundExceeded, metricsBounds, type Work } from '@millrace/mpl';
import { EvaluationProblem } from '../model/problems.js';
import { type Labels, labelsOf } from '../model/labels.js';
import { compileRegex } from '../syntax/regex.js';
import { type Evaluation } from './scope.js';
import { type GridSeries, joinSeries, samplesPerSeries } from './values.js';

/** Functions that change labels. */

const reference = /\$(?:\{(\w+)\}|(\w+)|\$)/g;

/** @throws EvaluationProblem for an invalid expression, or labels that become equal */
export function* replaceLabel(
  series: readonly GridSeries[],
  [target = '', replacement = '', source = '', pattern = '']: readonly string[],
  work: Work,
): Evaluation<readonly GridSeries[]> {
  const regex = compileRegex(pattern);
  if (regex === undefined)
    throw new EvaluationProblem(`invalid regular expression in label_replace(): ${JSON.stringify(pattern)}`);
  requireLabel(target, 'label_replace');
  const named = regex.namedGroups();
  const relabel = (labels: Labels): Labels => {
    const matcher = regex.matcher(labelText(labels, source));
    if (!matcher.matches()) return labels;
    const text = replacement.replace(reference, (whole, braced?: string, plain?: string) => {
      const name = braced ?? plain;
      if (name === undefined) return whole.slice(1);
      const group = /^\d+$/.test(name) ? Number(name) : named[name];
      return group === undefined || group > matcher.groupCount() ? '' : (matcher.group(group) ?? '');
    });
    return labelsOf([...labels, [target, checkText(text)]]);
  };
  const results: GridSeries[] = [];
  for (const each of series) {
    results.push({ ...each, labels: relabel(each.labels) });
    // The expression takes a step per character of both, and each takes as long as some samples.
    const steps = (pattern.length * (labelText(each.labels, source).length + 1)) / 2;
    if (work.isDue(samplesPerSeries + steps)) yield;
  }
  return joinSeries(results, work);
}

/** @throws EvaluationProblem for labels that become equal */
export function* joinLabels(
  series: readonly GridSeries[],
  [target = '', separator = '', ...sources]: readonly string[],
  work: Work,
): Evaluation<readonly GridSeries[]> {
  requireLabel(target, 'label_join');
  const results: GridSeries[] = [];
  for (const each of series) {
    const texts = sources.map((name) => labelText(each.labels, name));
    checkLength(texts.reduce((sum, { length }) => sum + length + separator.length, 0));
    const text = texts.join(separator);
    results.push({ ...each, labels: labelsOf([...each.labels, [target, text]]) });
    if (work.isDue(samplesPerSeries + text.length)) yield;
  }
  return joinSeries(results, work);
}

const labelText = (labels: Labels, name: string): string => labels.get(name) ?? '';

/** A label may repeat the ones before it, which doubles the length with each call. */
function checkLength(length: number): void {
  if (length > metricsBounds.tagText.max)
    throw new BoundExceeded(metricsBounds.tagText, 'shorten the labels that are joined or replaced');
}

function checkText(text: string): string {
  checkLength(text.length);
  return text;
}

function requireLabel(name: string, fn: string): void {
  if (name === '') throw new EvaluationProblem(`invalid destination label name in ${fn}(): `);
}
