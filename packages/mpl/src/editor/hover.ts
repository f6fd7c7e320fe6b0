import type { Hover } from '@millrace/apl/positions';
import {
  alignFunctions,
  bucketFunctions,
  computeFunctions,
  type FunctionRecord,
  groupFunctions,
  mapFunctions,
} from '../model/functions.js';
import { filterOperators, type StepRecord, steps } from '../model/steps.js';
import type { KnownMetrics } from './known-metrics.js';
import { tokensOf } from './place.js';

const functionsOf: Readonly<Record<string, Readonly<Record<string, FunctionRecord>>>> = {
  map: mapFunctions,
  align: alignFunctions,
  group: groupFunctions,
  bucket: bucketFunctions,
  compute: computeFunctions,
};

/** Documentation of the word at `offset`; undefined where there is none. */
export function hover(text: string, offset: number, { metrics }: KnownMetrics): Hover | undefined {
  const tokens = tokensOf(text);
  const at = tokens.findIndex(({ span }) => span.start <= offset && offset < span.end);
  const token = tokens[at];
  if (token === undefined) return undefined;
  const range = token.span;
  if (token.text === '$__interval')
    return { range, markdown: '`$__interval`\n\nThe width of windows that suits the chart.' };
  const pipe = tokens.slice(0, at).findLastIndex(({ text }) => text === '|');
  const step = pipe < 0 ? undefined : tokens[pipe + 1];
  if (step === token) return ofStep(token.text, range);
  if (step === undefined || tokens[at - 1]?.text === ':') {
    const metric = token.kind === 'name' ? metrics.find(({ name }) => name === token.name) : undefined;
    if (metric !== undefined && pipe < 0)
      return { range, markdown: `\`${metric.name}\`\n\n${metric.detail === '' ? 'Metric' : metric.detail}` };
  }
  if (step === undefined) return undefined;
  if (['where', 'filter'].includes(step.text)) {
    const doc = filterOperators[token.text];
    return doc === undefined ? undefined : { range, markdown: `\`${token.text}\`\n\n${doc}` };
  }
  return ofFunction(functionsOf[step.text] ?? {}, tokens, at);
}

function ofStep(name: string, range: Hover['range']): Hover | undefined {
  const record = (steps as Readonly<Record<string, StepRecord>>)[name === 'filter' ? 'where' : name];
  return record && { range, markdown: `\`\`\`\n${record.form}\n\`\`\`\n${record.doc}` };
}

/** Names such as `prom::rate` are several tokens. */
function ofFunction(
  table: Readonly<Record<string, FunctionRecord>>,
  tokens: ReturnType<typeof tokensOf>,
  at: number,
): Hover | undefined {
  let [first, last] = [at, at];
  while (tokens[first - 1]?.text === '::' || tokens[first]?.text === '::') first--;
  while (tokens[last + 1]?.text === '::' || tokens[last]?.text === '::') last++;
  const parts = tokens.slice(Math.max(first, 0), last + 1);
  const name = parts.map(({ text }) => text).join('');
  const record = Object.hasOwn(table, name) ? table[name] : undefined;
  if (record === undefined) return undefined;
  const range = { start: parts[0]!.span.start, end: parts.at(-1)!.span.end };
  return { range, markdown: `\`${name}${record.args > 0 ? '(number)' : ''}\`\n\n${record.doc}` };
}
