/** What an editor knows of the data; empty lists are unknown. */
export interface KnownMetrics {
  /** Datasets of metrics. */
  readonly datasets: readonly string[];
  /** Metrics of the dataset of the query. */
  readonly metrics: readonly { readonly name: string; readonly detail: string }[];
  /** Tags of the metric of the query. */
  readonly tags: readonly string[];
}

export const nothingKnown: KnownMetrics = { datasets: [], metrics: [], tags: [] };
