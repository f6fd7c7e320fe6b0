import type { Compiled, CompileOptions } from '@millrace/apl';
import { compileApl, type CompileContext } from './compile.js';
import type { AplRequest, Asked } from './request.js';
import type { QueryService } from '../service.js';

/** Names, in the text of a query or a view, of operators and functions that depend on the times of events. */
const readers = /\b(bin_auto|make-series|rate)\b/;
/** The empty range, for datasets without events. */
const noTimes = { start: 0n, end: -1n };

type EventTimes = Pick<CompileOptions, 'eventTimes'>;

/**
 * Compiles an APL request, and compiles it again with the times of events if it depends on them.
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
 * The range of times in which there are events, which `bin_auto`, `make-series` and `rate` need when a request does not give both bounds. With the
 * range of all times that can be stored, the first would make a single bin, the second far too many, and the third would divide by too many seconds.
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

/** Views may read other views that the text does not name. So if the text names any view, one such operator in any view is enough. */
async function hasReadingView(apl: string, { metadata }: QueryService): Promise<boolean> {
  const views = await metadata.views.list();
  // A quoted name may have escapes.
  const bare = (text: string): string => text.replaceAll('\\', '');
  return (
    views.some(({ name }) => bare(apl).includes(bare(name))) && views.some(({ aplQuery }) => readers.test(aplQuery))
  );
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
