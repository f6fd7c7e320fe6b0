import type { Step } from '../plan/plan.js';
import {
  durationText,
  type LabelCondition,
  labelText,
  numberText,
  quoteText,
  selectorText,
  Untranslatable,
} from './promql-text.js';

interface HistogramSource {
  readonly metric: string;
  readonly labels: readonly LabelCondition[];
  readonly offset: string;
}

/** Quantiles of a histogram. Several are joined, told apart by the label `spec` as in MPL. */
export function histogramText(source: HistogramSource, step: Extract<Step, { readonly kind: 'bucket' }>): string {
  const { by, fn, width, perSecond, specs } = step;
  if (fn === 'histogram')
    throw new Untranslatable("PromQL has no quantiles over the points of several series, as 'histogram' returns");
  if (width === undefined) throw new Untranslatable("PromQL needs windows of a fixed width: write 'bucket to 5m …'");
  // Buckets of Prometheus are a separate metric, buckets of OpenTelemetry are not.
  const parts = source.metric.endsWith('_bucket')
    ? []
    : [{ label: 'axiom.histogram', op: '=', value: 'bucket' } as const];
  const selector = `${selectorText(source.metric, [...source.labels, ...parts])}[${durationText(width)}]${source.offset}`;
  const counted = fn === 'interpolate_delta_histogram' ? 'sum_over_time' : perSecond ? 'rate' : 'increase';
  const buckets = `sum by (${['le', ...by].map(labelText).join(', ')}) (${counted}(${selector}))`;
  const quantiles = specs.map((spec) => {
    if (spec.kind === 'word')
      throw new Untranslatable(`PromQL has no '${spec.word}' of buckets; query its series instead`);
    const text = `histogram_quantile(${numberText(spec.quantile)}, ${buckets})`;
    if (specs.length === 1) return text;
    const name = `p${Number((spec.quantile * 100).toPrecision(12))}`;
    return `label_replace(${text}, "spec", ${quoteText(name)}, "", "")`;
  });
  return quantiles.join(' or ');
}
