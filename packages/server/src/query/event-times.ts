import type { Compiled, CompileOptions } from '@millrace/apl';
import type { AplRequest } from './request.js';
import type { QueryService } from './service.js';

/** What depends on the times of events, by name in the text of a query. */
const readers = /\b(bin_auto|make-series|rate)\b/;
/** The empty range, for datasets without events. */
const noTimes = { start: 0n, end: -1n };

/**
 * What `bin_auto`, `make-series` and `rate` need to know when a request does not give both bounds: between which times there are events. All times
 * that can be stored would give the first a single bin, the second far too many bins, and the third too many seconds to divide by.
 */
export async function eventTimesFor(
  { apl, range: { given } }: AplRequest,
  compiled: Compiled,
  service: QueryService,
): Promise<Pick<CompileOptions, 'eventTimes'>> {
  if ((given.start && given.end) || compiled.datasets.length === 0 || !readers.test(apl)) return {};
  const datasets = compiled.datasets.flatMap((name) => service.metadata.datasets.find(name) ?? []);
  const sizes = await Promise.all(datasets.map((dataset) => service.storage.info(dataset)));
  const times = sizes.flatMap(({ minTime, maxTime }) =>
    minTime === undefined || maxTime === undefined ? [] : [{ start: minTime, end: maxTime }],
  );
  const [first, ...rest] = times;
  if (first === undefined) return { eventTimes: noTimes };
  return {
    eventTimes: rest.reduce(
      (hull, { start, end }) => ({
        start: start < hull.start ? start : hull.start,
        end: end > hull.end ? end : hull.end,
      }),
      first,
    ),
  };
}
