import type { QueryOutcome } from '../run/outcome.js';
import { type Buckets, writeSeries, writeTotals } from './buckets.js';
import { writeMatches } from './matches.js';
import { Writer } from './writer.js';

/** Responses in the legacy format: events as objects, aggregations as groups and buckets. */

/**
 * The response in chunks, made in steps.
 * @param head members before `matches`; `format` is added
 */
export function* legacyAnswer(
  head: object,
  outcome: QueryOutcome,
  buckets: Buckets | undefined,
): Generator<void, readonly Uint8Array[]> {
  const out = new Writer();
  out.text(`${JSON.stringify({ format: 'legacy', ...head }).slice(0, -1)},"matches":[`);
  if (buckets === undefined) yield* writeMatches(out, outcome);
  out.text('],"buckets":{"series":[');
  if (buckets?.series !== undefined) yield* writeSeries(out, buckets, buckets.series);
  out.text('],"totals":[');
  if (buckets !== undefined) yield* writeTotals(out, buckets);
  out.text(']}}');
  return out.take();
}
