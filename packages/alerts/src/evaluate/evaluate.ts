import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Source } from '../source.js';
import { evaluateAnomaly } from './anomaly.js';
import type { EvaluationResult } from './evaluation.js';
import { evaluateThreshold } from './threshold.js';

/**
 * The queried time range of a run. It ends in the past by `secondDelay`, so that late events have
 * arrived.
 */
export interface RunWindow {
  /** Milliseconds since the epoch; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

export function windowOf(
  { rangeMinutes, secondDelay }: Pick<StoredMonitor, 'rangeMinutes' | 'secondDelay'>,
  time: number,
): RunWindow {
  const end = time - secondDelay * 1000;
  return { start: end - rangeMinutes * 60_000, end };
}

interface EvaluationOptions {
  readonly source: Pick<Source, 'table'>;
  readonly signal: AbortSignal;
  /** Timeout of each of its queries, milliseconds. */
  readonly timeout: number;
  /**
   * For a back-test: only what had arrived by then, milliseconds since the epoch; infinite for
   * everything.
   */
  readonly arrivedBy?: number;
}

interface Evaluation {
  readonly verdict: EvaluationResult;
  /** Datasets that the query reads. */
  readonly datasets: readonly string[];
}

/** Evaluates a monitor that compares values. @throws HttpError, EngineError when a query fails */
export async function evaluate(
  monitor: StoredMonitor,
  { start, end }: RunWindow,
  { source, arrivedBy, ...options }: EvaluationOptions,
): Promise<Evaluation> {
  const { aplQuery: apl, reads, language, compareDays } = monitor;
  // A back-test specifies the arrived events explicitly.
  const seen =
    arrivedBy === undefined
      ? { due: end + monitor.secondDelay * 1000 }
      : Number.isFinite(arrivedBy)
        ? { arrivedBy }
        : {};
  const query = { apl, language, reads, ...options, ...seen };
  const table = await source.table({ ...query, start, end });
  const { datasets } = table;
  if (monitor.type !== 'AnomalyDetection') return { verdict: evaluateThreshold(table, monitor), datasets };
  const shift = compareDays * 86_400_000;
  const past = shift === 0 ? {} : { past: await source.table({ ...query, start: start - shift, end: end - shift }) };
  return { verdict: evaluateAnomaly(table, monitor, { end, ...past }), datasets };
}
