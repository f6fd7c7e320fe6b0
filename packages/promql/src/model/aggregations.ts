import type { ValueType } from './types.js';

/** The aggregations over the series of an instant vector. */

interface AggregationRecord {
  readonly doc: string;
  /** Type of the argument before the vector. */
  readonly parameter?: ValueType;
}

export const aggregations = {
  sum: { doc: 'Sum of the values.' },
  avg: { doc: 'Mean of the values.' },
  min: { doc: 'Smallest value.' },
  max: { doc: 'Largest value.' },
  count: { doc: 'Number of series.' },
  group: { doc: '1 for each group.' },
  stddev: { doc: 'Population standard deviation.' },
  stdvar: { doc: 'Population variance.' },
  topk: { doc: 'The k series with the largest values.', parameter: 'scalar' },
  bottomk: { doc: 'The k series with the smallest values.', parameter: 'scalar' },
  quantile: { doc: 'A quantile of the values, between 0 and 1.', parameter: 'scalar' },
  count_values: { doc: 'Number of series with each value, which a label gets.', parameter: 'string' },
} as const satisfies Readonly<Record<string, AggregationRecord>>;

export type AggregationName = keyof typeof aggregations;

export const isAggregation = (name: string): name is AggregationName => Object.hasOwn(aggregations, name);

/** Type of the argument before the vector, if the aggregation has one. */
export const parameterOf = (name: AggregationName): ValueType | undefined => {
  const record: AggregationRecord = aggregations[name];
  return record.parameter;
};
