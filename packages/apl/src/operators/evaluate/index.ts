import { nearest } from '../../syntax/suggestions.js';
import type { BindOperator } from '../define.js';
import { bindBagUnpack } from './bag-unpack.js';
import type { BindPlugin } from './define.js';
import { bindPivot } from './pivot.js';

const plugins: ReadonlyMap<string, BindPlugin> = new Map([
  ['bag_unpack', bindBagUnpack],
  ['pivot', bindPivot],
]);

/** `evaluate plugin(…)`: operators whose columns depend on the data. Every plugin is a file of this folder, listed in the table above. */
export const bindEvaluate: BindOperator<'evaluate'> = ({ plugin, args, span }, input, context) => {
  const bind = plugins.get(plugin.text);
  if (bind !== undefined) return bind(args, input, { ...context, span });
  const meant = nearest(plugin.text, new Set(plugins.keys()));
  context.query.report.error(
    'unknown_function',
    plugin.span,
    `there is no plugin ${plugin.text}; there are ${[...plugins.keys()].join(' and ')}`,
    meant === undefined ? undefined : { title: `Write ${meant}`, replacement: meant },
  );
  return input;
};
