import { jsonOfTag, type Series, shownTag } from '@millrace/mpl';
import { httpError } from '@millrace/api/errors';
import { Type } from 'typebox';
import { withTitle } from '@millrace/api/schemas/parts';
import type { MplOutcome } from './run-mpl.js';

/** Responses to queries of metrics, in the versions that clients read. */

type MetricsFormat = 'v1' | 'v2' | 'v3';

/** Media types of `Accept` that choose a version, most specific first. */
const mediaTypes = {
  'application/vnd.metrics.v3+json': 'v3',
  'application/vnd.metrics.v2+json': 'v2',
  'application/json+metrics.v2': 'v2',
} as const satisfies Readonly<Record<string, MetricsFormat>>;

interface FormatChoice {
  readonly format: MetricsFormat;
  readonly mediaType: string;
}

/** @throws HttpError `invalid-request` for an unknown format */
export function chosenFormat(format: string | undefined, accept = ''): FormatChoice {
  const accepted = Object.entries(mediaTypes).find(([type]) => accept.includes(type));
  const mediaType = accepted?.[0] ?? 'application/json; charset=utf-8';
  switch (format) {
    case 'metrics-v1':
      return { format: 'v1', mediaType: 'application/json; charset=utf-8' };
    case 'metrics-v2':
      return { format: 'v2', mediaType: accepted?.[1] === 'v2' ? mediaType : 'application/json; charset=utf-8' };
    case undefined:
    case '':
      return { format: accepted?.[1] ?? 'v2', mediaType };
    default:
      throw httpError('invalid-request', {
        problem: `the format '${format}' is unknown; use metrics-v1 or metrics-v2`,
      });
  }
}

const MetricsSeries = Type.Object({
  metric: Type.String(),
  tags: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Values keep their types; infinities are strings. Strings only in version 3.',
  }),
  start: Type.Number({ description: 'Time of the first value, seconds since the epoch.' }),
  resolution: Type.Number({ description: 'Seconds between values.' }),
  data: Type.Array(Type.Union([Type.Number(), Type.Null()]), { description: 'One value per window; null is a gap.' }),
  summary: Type.Optional(Type.Union([Type.Number(), Type.Null()], { description: 'The last value.' })),
});
const text = () => Type.Optional(Type.Union([Type.String(), Type.Null()]));

export const MetricsResult = withTitle(
  'MetricsResult',
  Type.Object({
    metadata: Type.Object({
      group_keys: Type.Optional(Type.Array(Type.String(), { description: 'Tags of the last grouping.' })),
      warnings: Type.Array(Type.String()),
      unit: text(),
      custom_unit: text(),
      ignore_unit: Type.Optional(Type.Boolean()),
    }),
    series: Type.Array(MetricsSeries),
  }),
);
export const MetricsList = withTitle('MetricsList', Type.Array(MetricsSeries));

/** The response in chunks, one per series. */
export function* metricsResponse(outcome: MplOutcome, format: MetricsFormat): Generator<Uint8Array> {
  const { frame } = outcome;
  yield Buffer.from(format === 'v1' ? '[' : `{"metadata":${JSON.stringify(metadataOf(outcome, format))},"series":[`);
  for (const [i, series] of frame.series.entries()) {
    const text = JSON.stringify(showSeries(series, outcome, format));
    yield Buffer.from(i === 0 ? text : `,${text}`);
  }
  yield Buffer.from(format === 'v1' ? ']' : ']}');
}

function metadataOf({ plan, unit, warnings }: MplOutcome, format: MetricsFormat): object {
  if (format === 'v3') return { unit, warnings };
  const last = plan.root.steps.findLast((step) => step.kind === 'group' || step.kind === 'bucket');
  return {
    group_keys: last === undefined ? [] : last.by,
    warnings,
    unit,
    custom_unit: plan.customUnit ?? null,
    ignore_unit: plan.customUnit === '1',
  };
}

function showSeries({ metric, tags, values }: Series, { frame: { grid } }: MplOutcome, format: MetricsFormat): object {
  const tagOf = format === 'v3' ? shownTag : jsonOfTag;
  // JSON.stringify writes NaN and infinities as null.
  const data = [...values];
  const last = data.findLast((value) => Number.isFinite(value));
  return {
    metric,
    tags: Object.fromEntries([...tags].map(([name, value]) => [name, tagOf(value)])),
    start: grid.start / 1000,
    resolution: grid.step / 1000,
    data,
    ...(format !== 'v3' && { summary: last ?? null }),
  };
}
