import type { Compiled, CompileOptions } from '@millrace/apl';
import type { AplRequest } from './request.js';
import type { QueryService } from './service.js';

/**
 * What `bin_auto` needs to know of a request without both bounds: when there are events at all. Dividing all times that can
 * be stored would put everything into one bin.
 */
export async function eventTimesFor(
  { apl, range: { given } }: AplRequest,
  compiled: Compiled,
  service: QueryService,
): Promise<Pick<CompileOptions, 'eventTimes'>> {
  if ((given.start && given.end) || compiled.presentation.bucket === undefined || !apl.includes('bin_auto')) return {};
  const datasets = compiled.datasets.flatMap((name) => service.metadata.datasets.find(name) ?? []);
  const sizes = await Promise.all(datasets.map((dataset) => service.storage.info(dataset)));
  const times = sizes.flatMap(({ minTime, maxTime }) =>
    minTime === undefined || maxTime === undefined ? [] : [{ start: minTime, end: maxTime }],
  );
  const [first, ...rest] = times;
  if (first === undefined) return {};
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
