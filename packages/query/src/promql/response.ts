import { type GridSeries, type Labels, type PointSeries, shownNumber, timesOf } from '@millrace/promql';
import type { PromqlOutcome } from './run-promql.js';

/** Results in the form of Prometheus's API. */

const pair = (time: number, value: number): string => `[${time / 1000},"${shownNumber(value)}"]`;

const metricOf = (labels: Labels): string => JSON.stringify(Object.fromEntries(labels));

/** Points of a chunk: some milliseconds of work. */
const pointsPerChunk = 10_000;

/** What a response shows; LogQL has the same. */
interface PromqlAnswer extends Pick<PromqlOutcome, 'value' | 'warnings'> {
  readonly request: Pick<PromqlOutcome['request'], 'kind' | 'grid' | 'limit'>;
}

/** The response in chunks. */
export function* promqlResponse(outcome: PromqlAnswer): Generator<Uint8Array> {
  const { request, warnings } = outcome;
  const { type, parts, count } = resultOf(outcome);
  yield Buffer.from(`{"status":"success","data":{"resultType":"${type}","result":`);
  let sent = 0;
  for (const part of parts) {
    if (sent >= request.limit) break;
    let separator = type === 'scalar' || type === 'string' ? '' : sent === 0 ? '[' : ',';
    for (const chunk of typeof part === 'string' ? [part] : part) {
      yield Buffer.from(separator + chunk);
      separator = '';
    }
    sent++;
  }
  const end = type === 'scalar' || type === 'string' ? '}' : sent === 0 ? '[]}' : ']}';
  const said = [...warnings, ...(count > sent ? ['results truncated due to limit'] : [])];
  yield Buffer.from(`${end}${said.length > 0 ? `,"warnings":${JSON.stringify(said)}` : ''}}`);
}

interface Result {
  readonly type: 'scalar' | 'string' | 'vector' | 'matrix';
  /** Each in one chunk, or in several. */
  readonly parts: Iterable<string | Iterable<string>>;
  readonly count: number;
}

function resultOf({ request: { kind, grid }, value }: PromqlAnswer): Result {
  const times = timesOf(grid);
  switch (value.kind) {
    case 'string':
      return { type: 'string', parts: [`[${grid.start / 1000},${JSON.stringify(value.value)}]`], count: 1 };
    case 'scalar':
      if (kind === 'instant') return { type: 'scalar', parts: [pair(grid.start, value.values[0]!)], count: 1 };
      return {
        type: 'matrix',
        parts: [line({ labels: new Map(), times, values: value.values })],
        count: 1,
      };
    case 'matrix': {
      const [end = 0] = value.ends;
      const series = value.series
        .map((each) => within(each, end - value.range, end))
        .filter(({ times }) => times.length > 0);
      return { type: 'matrix', parts: lines(series, line), count: series.length };
    }
    case 'vector': {
      const { series } = value;
      if (kind === 'range')
        return { type: 'matrix', parts: lines(series, (each) => line(pointsOf(each, times))), count: series.length };
      const parts = lines(
        series,
        ({ labels, values }) => `{"metric":${metricOf(labels)},"value":${pair(grid.start, values[0]!)}}`,
      );
      return { type: 'vector', parts, count: series.length };
    }
  }
}

function* lines<T, R>(series: readonly T[], text: (each: T) => R): Generator<R> {
  for (const each of series) yield text(each);
}

function* line({ labels, times, values }: PointSeries): Generator<string> {
  yield `{"metric":${metricOf(labels)},"values":[`;
  for (let from = 0; from < times.length; from += pointsPerChunk) {
    const pairs: string[] = [];
    for (let i = from; i < Math.min(times.length, from + pointsPerChunk); i++) pairs.push(pair(times[i]!, values[i]!));
    yield `${from === 0 ? '' : ','}${pairs.join()}`;
  }
  yield ']}';
}

const pointsOf = ({ labels, values, present }: GridSeries, times: Float64Array): PointSeries => ({
  labels,
  times: times.filter((_, i) => present[i] === 1),
  values: values.filter((_, i) => present[i] === 1),
});

function within({ labels, times, values }: PointSeries, start: number, end: number): PointSeries {
  const isIn = (i: number): boolean => times[i]! > start && times[i]! <= end;
  return { labels, times: times.filter((_, i) => isIn(i)), values: values.filter((_, i) => isIn(i)) };
}
