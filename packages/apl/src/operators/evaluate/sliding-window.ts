import type { BindPlugin } from './define.js';
import { bindOperators } from './over.js';
import { bindTimeline } from './timeline.js';

/**
 * `sliding_window_counts(id, time, start, end, window, step [, dimension, …])`: for each step from
 * start to end, how many rows and how many ids there are in the window that ends with it. Rows
 * before the start count in the windows that reach back to them.
 */
export const bindSlidingWindow: BindPlugin = (args, input, context) => {
  const names = ['$start', '$end', '$window', '$step'];
  const timeline = bindTimeline('sliding_window_counts', args, names, input, context);
  if (timeline === undefined) return input;
  const { rows, id, time, dimensions, values } = timeline;
  const by = [time, ...dimensions];
  const operators = [
    `where ${time} > ['$start'] - ['$window'] and ${time} <= ['$end']`,
    `extend ${time} = bin_at(${time}, ['$step'], ['$start'])`,
    `summarize ['$rows'] = count() by ${[...by, id].join(', ')}`,
    `extend ['$at'] = range(0, tolong(['$window'] / ['$step']) - 1)`,
    `mv-expand ['$at'] to typeof(long)`,
    `extend ${time} = ${time} + ['$at'] * ['$step']`,
    `where ${time} between (['$start'] .. ['$end'])`,
    `summarize Count = sum(['$rows']), Dcount = count_distinct(${id}) by ${by.join(', ')}`,
    `sort by ${by.map((column) => `${column} asc`).join(', ')}`,
    `project ${by.join(', ')}, Count, Dcount`,
  ];
  return bindOperators(rows, operators.join(' | '), context, {}, values);
};
