import type { BurnRateAlert, StoredSlo } from '@millrace/api/schemas/slo';

/** Queries over the events of an objective. */

type SloDefinition = Pick<StoredSlo, 'aplQuery' | 'good' | 'objective'>;

/** Part of the events that may be bad. */
export const allowedPart = ({ objective }: Pick<StoredSlo, 'objective'>): number =>
  Number((1 - objective / 100).toPrecision(12));

/** The condition ends on its own line: it may end in a comment. */
const countIf = (condition: string): string => `countif(${condition}\n)`;

/**
 * One number: the lower burn rate of the two windows, so it exceeds a rate only if both do. The
 * range of the query is the long window.
 */
export function burnRateQuery(slo: SloDefinition, { shortMinutes }: Pick<BurnRateAlert, 'shortMinutes'>): string {
  const { aplQuery, good } = slo;
  const recent = `_time >= ago(${shortMinutes}m)`;
  return `${aplQuery}
| summarize good_long = ${countIf(good)}, total_long = count(), good_short = ${countIf(`${recent} and (${good}\n)`)}, total_short = countif(${recent})
| project burn_rate = min_of(${rateOf(slo, 'long')}, ${rateOf(slo, 'short')})`;
}

/** Good and all events per step of the window. */
export const stepsQuery = ({ aplQuery, good }: SloDefinition, stepMinutes: number): string =>
  `${aplQuery}\n| summarize good = ${countIf(good)}, total = count() by bin(_time, ${stepMinutes}m)`;

/** Burn rates over the last minutes, in columns `m5`, `m60` and so on; the range is the longest. */
export function recentRatesQuery(slo: SloDefinition, minutes: readonly number[]): string {
  const counts = minutes.flatMap((each) => {
    const recent = `_time >= ago(${each}m)`;
    return [`good_${each} = ${countIf(`${recent} and (${slo.good}\n)`)}`, `total_${each} = countif(${recent})`];
  });
  const rates = minutes.map((each) => `m${each} = ${rateOf(slo, String(each))}`);
  return `${slo.aplQuery}\n| summarize ${counts.join(', ')}\n| project ${rates.join(', ')}`;
}

/** Without events nothing is used. */
const rateOf = (slo: SloDefinition, window: string): string =>
  `iff(total_${window} == 0, 0.0, (1.0 - todouble(good_${window}) / todouble(total_${window})) / ${allowedPart(slo)})`;
