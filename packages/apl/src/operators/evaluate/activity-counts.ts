import { constantText } from '../../plan/scalar.js';
import type { BindPlugin } from './define.js';
import { bindOperators } from './over.js';
import { beginsGroup, bindTimeline } from './timeline.js';

/**
 * `activity_counts_metrics(id, time, start, end, step [, dimension, …])`: for each window of time,
 * how many rows it has, how many ids, how many of them no earlier window has, and how many there
 * were up to its end.
 */
export const bindActivityCounts: BindPlugin = (args, input, context) => {
  const timeline = bindTimeline('activity_counts_metrics', args, ['$start', '$end', '$step'], input, context);
  if (timeline === undefined) return input;
  const { rows, id, time, dimensions, values } = timeline;
  const unit = constantText(values['$step']!);
  if (unit !== undefined && !/^(?:week|month|year)$/.test(unit)) {
    const message = 'the step of activity_counts_metrics is a timespan such as 1d, or "week", "month" or "year"';
    context.query.report.error('argument_type', args[4]!.value.span, message);
    return input;
  }
  const start = unit === undefined ? `bin_at(${time}, ['$step'], ['$start'])` : `startof${unit}(${time})`;
  const by = [time, ...dimensions];
  const people = [...dimensions, id];
  const operators = [
    `where ${time} between (['$start'] .. ['$end'])`,
    `extend ${time} = ${start}`,
    `summarize ['$rows'] = count() by ${[...by, id].join(', ')}`,
    `sort by ${[...people, time].map((column) => `${column} asc`).join(', ')}`,
    `extend ['$new'] = ${beginsGroup(people)}`,
    `summarize ['count'] = sum(['$rows']), dcount = count(), new_dcount = countif(['$new']) by ${by.join(', ')}`,
    `sort by ${[...dimensions, time].map((column) => `${column} asc`).join(', ')}`,
    `extend aggregated_dcount = row_cumsum(new_dcount, ${dimensions.length === 0 ? 'false' : beginsGroup(dimensions)})`,
    `project ${by.join(', ')}, ['count'], dcount, new_dcount, aggregated_dcount`,
  ];
  return bindOperators(rows, operators.join(' | '), context, {}, values);
};
