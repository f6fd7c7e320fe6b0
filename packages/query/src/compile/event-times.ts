import type { TimeRange } from '@millrace/apl';
import type { CatalogSource } from './catalog.js';
import type { LookupResults } from './resolve-lookups.js';

/** The empty range, for datasets without events. */
const noTimes: TimeRange = { start: 0n, end: -1n };

/**
 * The range of times in which there are events, which `bin_auto`, `make-series` and `rate` need
 * when a request does not give both bounds. With the range of all times that can be stored, the
 * first would make a single bin, the second far too many, and the third would divide by too many
 * seconds.
 */
export const timesOfEvents =
  ({ metadata, storage }: Pick<CatalogSource, 'metadata' | 'storage'>): LookupResults['times'] =>
  async (names) => {
    const datasets = names.flatMap((name) => metadata.datasets.find(name) ?? []);
    const sizes = await Promise.all(datasets.map((dataset) => storage.info(dataset)));
    const times = sizes.flatMap(({ minTime, maxTime }) =>
      minTime === undefined || maxTime === undefined ? [] : [{ start: minTime, end: maxTime }],
    );
    const [first, ...rest] = times;
    return rest.reduce(
      (hull, { start, end }) => ({
        start: start < hull.start ? start : hull.start,
        end: end > hull.end ? end : hull.end,
      }),
      first ?? noTimes,
    );
  };
