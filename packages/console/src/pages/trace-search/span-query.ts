import { datasetText, stringText } from '../../data/apl-text.js';
import { durationText } from '../../data/time/instants.js';
import type { SpanNames } from '../../waterfall/span-names.js';
import { anyDuration, parseDurationRange } from './duration-range.js';

/** Span filters; empty strings match all. */
export interface SpanFilter {
  readonly service: string;
  readonly name: string;
  readonly kind: string;
  readonly only: 'all' | 'failed';
  readonly took: string;
  /** Other conditions, in APL. */
  readonly where: readonly string[];
}

export const noFilter: SpanFilter = { service: '', name: '', kind: '', only: 'all', took: '', where: [] };

/** The kind of spans without a parent. */
export const ROOT = 'root';

export const isFiltered = ({ service, name, kind, only, took, where }: SpanFilter): boolean =>
  service !== '' || name !== '' || kind !== '' || only !== 'all' || took !== '' || where.length > 0;

/** Query prefix for the filtered spans. */
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
