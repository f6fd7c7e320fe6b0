import type { Answer } from '../results/results.js';
import type { Cell } from '../results/cells.js';
import type { MplAnswer } from './metrics-api.js';

/** Result of an MPL query as rows of time, tags and value, which elements of dashboards draw. */

const VALUE = 'value';

const cellOf = (value: unknown): Cell =>
  value === undefined || value === null
    ? null
    : typeof value === 'object'
      ? { kind: 'json', text: JSON.stringify(value) }
      : (value as string | number | boolean);

/** Gaps have no rows. A tag that all series share is left out. */
export function metricsAnswer({ result: { series }, asked }: MplAnswer, dataset: string, started: number): Answer {
  const names = [...new Set(series.flatMap(({ tags }) => Object.keys(tags)))].toSorted();
  const tags = names.filter((name) => new Set(series.map(({ tags }) => JSON.stringify(tags[name]))).size > 1);
  const rows = series.flatMap(({ tags: own, start, resolution, data }) => {
    const groups = tags.map((tag) => cellOf(own[tag]));
    return data.flatMap((value, index) =>
      value === null ? [] : [[new Date((start + index * resolution) * 1000).toISOString(), ...groups, value]],
    );
  });
  const fields = [
    { name: '_time', type: 'datetime' },
    ...tags.map((name) => ({ name, type: 'string' })),
    { name: VALUE, type: 'float' },
  ];
  const [from, to] = [asked?.from ?? 0, asked?.to ?? 0].map((at) => new Date(at).toISOString());
  const head = {
    name: '0' as const,
    sources: [{ name: dataset }],
    fields,
    order: [],
    groups: tags.map((name) => ({ name })),
    range: { field: '_time' as const, start: from!, end: to! },
    ...(series[0] !== undefined && { buckets: { field: '_time', size: series[0].resolution * 1e9 } }),
  };
  const milliseconds = performance.now() - started;
  return {
    head: {
      format: 'tabular',
      status: {
        ...noStatus,
        rowsMatched: rows.length,
        numGroups: series.length,
        minBlockTime: from!,
        maxBlockTime: to!,
      },
      datasetNames: [dataset],
      fieldsMetaMap: {},
    },
    table: {
      head,
      columns: fields.map((_, column) => rows.map((row) => row[column]!)),
      index: new Map(fields.map(({ name }, column) => [name, column])),
      rows: rows.length,
    },
    totals: undefined,
    asked,
    settled: undefined,
    traceId: undefined,
    milliseconds,
    whole: () => Promise.resolve(''),
  };
}

const noStatus = {
  elapsedTime: 0,
  blocksExamined: 0,
  blocksCached: 0,
  blocksMatched: 0,
  blocksSkipped: 0,
  rowsExamined: 0,
  isPartial: false,
  cacheStatus: 0,
  messages: [],
};
