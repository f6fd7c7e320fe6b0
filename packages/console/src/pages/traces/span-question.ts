import { datasetText, stringText } from '../../data/apl-text.js';
import { durationText } from '../../data/time/instants.js';
import type { SpanNames } from '../../traces/span-names.js';
import { anyDuration, parseDurationRange } from './duration-range.js';

/** Which spans are looked for; empty texts look for any. */
export interface SpanFilter {
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly only: 'all' | 'failed';
  readonly took: string;
  /** Conditions in APL on anything else. */
  readonly where: readonly string[];
}

export const noFilter: SpanFilter = { service: '', name: '', kind: '', only: 'all', took: '', where: [] };

/** The kind that asks for spans that no other waits for. */
export const ROOT = 'root';

export const isFiltered = ({ service, name, kind, only, took, where }: SpanFilter): boolean =>
  service !== '' || name !== '' || kind !== '' || only !== 'all' || took !== '' || where.length > 0;

/** The spans that a filter lets through, as the beginning of a query. */
export function spansText(dataset: string, names: SpanNames, filter: SpanFilter = noFilter): string {
  const { from, to } = parseDurationRange(filter.took) ?? anyDuration;
  const conditions = [
    'isnotempty(trace_id) and isnotempty(span_id)',
    ...(filter.service === '' ? [] : [`${names.service} == ${stringText(filter.service)}`]),
    ...(filter.name === '' ? [] : [`name == ${stringText(filter.name)}`]),
    ...(filter.kind === '' ? [] : [filter.kind === ROOT ? names.root : `kind == ${stringText(filter.kind)}`]),
    ...(filter.only === 'failed' ? [names.failed] : []),
    ...(from === undefined ? [] : [`duration >= ${durationText(from)}`]),
    ...(to === undefined ? [] : [`duration <= ${durationText(to)}`]),
    ...filter.where,
  ];
  return [datasetText(dataset), ...conditions.map((condition) => `| where ${condition}`)].join('\n');
}
