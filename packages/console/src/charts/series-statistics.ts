/** Numbers of a series for its legend; undefined without values. */
export interface SeriesStatistics {
  readonly last: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly avg: number | undefined;
}

export function statisticsOf(values: readonly (number | null)[]): SeriesStatistics {
  let [min, max, sum, count] = [Infinity, -Infinity, 0, 0];
  let last: number | undefined;
  for (const value of values) {
    if (value === null) continue;
    [last, sum, count] = [value, sum + value, count + 1];
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return count === 0 ? { last, min: last, max: last, avg: last } : { last, min, max, avg: sum / count };
}
