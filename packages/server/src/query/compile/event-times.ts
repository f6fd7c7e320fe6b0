import type { Compiled, CompileOptions } from '@millrace/apl';
import { compileApl, type CompileContext } from './compile.js';
import type { AplRequest, Asked } from './request.js';
import type { QueryService } from '../service.js';

/** What depends on the times of events, by name in the text of a query or of a view. */
const readers = /\b(bin_auto|make-series|rate)\b/;
/** The empty range, for datasets without events. */
const noTimes = { start: 0n, end: -1n };

type EventTimes = Pick<CompileOptions, 'eventTimes'>;

/**
 * Compiles a request in APL, a second time if it turns out to depend on the times of events.
 * @throws HttpError, EngineError as `compileApl` does
 */
export async function compileWithTimes(
  request: AplRequest,
  context: CompileContext,
  service: QueryService,
  options: Partial<CompileOptions> = {},
): Promise<{ readonly compiled: Compiled; readonly times: EventTimes }> {
  const known = await compileApl(request, context, options);
  const times = await eventTimesFor(request, known, service);
  const compiled =
    times.eventTimes === undefined ? known : await compileApl(request, context, { ...options, ...times });
  return { compiled, times };
}

/**
 * What `bin_auto`, `make-series` and `rate` need to know when a request does not give both bounds: between which times there are events. All times
 * that can be stored would give the first a single bin, the second far too many bins, and the third too many seconds to divide by.
 */
async function eventTimesFor(
  { apl, range }: AplRequest,
  compiled: Compiled,
  service: QueryService,
): Promise<EventTimes> {
  if (hasBothBounds(range) || !(readers.test(apl) || (await hasReadingView(apl, service)))) return {};
  return timesOf(compiled, service);
}

/** The same for the buckets of a structured request. */
export const eventTimesForBuckets = async (
  { range }: Asked,
  series: Compiled,
  service: QueryService,
): Promise<EventTimes> => (hasBothBounds(range) ? {} : timesOf(series, service));

const hasBothBounds = ({ given }: Asked['range']): boolean => given.start && given.end;

/** Views may read views, so those that are named do not tell which of them are read: one of all is enough. */
async function hasReadingView(apl: string, { metadata }: QueryService): Promise<boolean> {
  const views = await metadata.views.list();
  return views.some(({ name }) => apl.includes(name)) && views.some(({ aplQuery }) => readers.test(aplQuery));
}

async function timesOf(compiled: Compiled, service: QueryService): Promise<EventTimes> {
  if (compiled.datasets.length === 0) return {};
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
