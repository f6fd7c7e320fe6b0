/** Datasets of metrics. They are queried in MPL, not in APL. */

const metricsKind = 'otel:metrics:v1';

export const isMetricsDataset = ({ kind }: { readonly kind: string }): boolean => kind === metricsKind;
