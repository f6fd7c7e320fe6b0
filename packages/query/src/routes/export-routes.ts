import type { CompiledQuery } from '@millrace/apl';
import { type Static, Type } from 'typebox';
import { bytes, route, type RouteResponse, type RequestContext, type Route } from '@millrace/http/route';
import { oneOf } from '@millrace/api/schemas/parts';
import { retryOnChange } from '../retries.js';
import { watermarkHeader } from '../results/watermark-header.js';
import { recheckAccess } from '../recheck-access.js';
import { createdJob } from '../results/respond-job.js';
import { csvExport, ndjsonExport, parquetExport, type Export } from '../export.js';
import { prepare } from '../prepare.js';
import type { QueryExecution } from '../schedule/jobs.js';
import { queryErrors } from './query-errors.js';
import { AplBody, type AplRequest, aplRequest, arrivedBy, requireForwards } from '../compile/request.js';
import { readIdsOf, type QueryService } from '../service.js';
import { AcrossShards } from '../run/across-shards.js';
import { namingShards } from '../datasets-apart.js';
import { narrowByTerms } from '../run/term-lookup.js';

/** Exports: everything a query matches, without a limit, sent as the engine reads it. */

const format = Type.Optional(
  oneOf(['ndjson', 'csv', 'parquet'], { default: 'ndjson', description: 'Default: NDJSON.' }),
);
const { apl, startTime, endTime, cursor, includeCursor, includeCursorField, variables, asOf } = AplBody.properties;
const ExportBody = Type.Object({
  apl,
  startTime,
  endTime,
  cursor,
  includeCursor,
  includeCursorField,
  variables,
  asOf,
  format,
});
const ExportQuery = Type.Object({
  apl,
  startTime,
  endTime,
  cursor,
  includeCursor,
  includeCursorField,
  asOf,
  format,
});
type ExportBody = Static<typeof ExportBody>;

const exports = {
  ndjson: { mediaType: 'application/x-ndjson', make: ndjsonExport, output: 'json' },
  csv: { mediaType: 'text/csv; charset=utf-8', make: csvExport, output: 'text' },
  parquet: { mediaType: 'application/vnd.apache.parquet', make: parquetExport, output: 'native' },
} as const;

export function exportRoutes(service: QueryService): readonly Route[] {
  const common = {
    path: '/v1/export',
    tag: 'Query',
    description:
      'Streamed in constant memory, as fast as the client reads. If an export fails after it has started, the connection is closed before the last chunk ' +
      '(curl exits with 18), and a Parquet file has no footer; a complete response is a complete export. HTTP/1.0 clients could not detect that, ' +
      'so they cannot export. An export fails if a dataset that it reads is deleted, even if all rows of it were sent, or if the client reads ' +
      'slower than `MILLRACE_LEAST_READER_PACE` while another export is queued. With `includeCursorField` each event has `_cursor`, ' +
      'and an export with that cursor continues after the event. In CSV and Parquet, arrays and objects are JSON text, and so are non-string values ' +
      'of fields with several types; rare fields share the column `_rest`, an object. In NDJSON all fields are properties.',
    need: { scope: 'query' },
    responses: {
      200: { description: 'All rows.', mediaTypes: Object.values(exports).map(({ mediaType }) => mediaType) },
    },
    errors: queryErrors,
    limitFamily: 'Query',
    streams: true,
  } as const;
  return [
    route({
      ...common,
      method: 'GET',
      operation: 'exportByUrl',
      refusesHead: true,
      summary: 'Export a full query result',
      request: { query: ExportQuery },
      examples: [{ summary: 'Errors as CSV', query: { apl: "['http-logs'] | where status >= 500", format: 'csv' } }],
      handle: (call) => answerExport(call, call.query, service),
    }),
    route({
      ...common,
      method: 'POST',
      operation: 'export',
      summary: 'Export a full query result',
      request: { body: ExportBody },
      examples: [{ summary: 'Errors', body: { apl: "['http-logs'] | where status >= 500", startTime: 'now-1d' } }],
      exactIntegers: true,
      handle: (call) => answerExport(call, call.body, service),
    }),
  ];
}

/** More rows than there can be. */
const everything = 2 ** 53 - 1;

async function answerExport(call: RequestContext, body: ExportBody, service: QueryService): Promise<RouteResponse> {
  const { mediaType } = exports[body.format ?? 'ndjson'];
  const execution = service.jobs.begin(call, { kind: 'export', text: body.apl });
  try {
    const now = service.arrivalClock();
    const request = aplRequest(body, {}, now);
    requireForwards(request);
    const { output } = exports[body.format ?? 'ndjson'];
    const options = { defaultLimit: everything, maxLimit: everything, output };
    const prepareExport = () => prepare(request, { call, execution, service, now, cached: true }, options);
    const askAgain = async (): Promise<void> => {
      await call.renew();
      await prepareExport();
    };
    const { content, watermark } = await retryOnChange({
      prepare: prepareExport,
      perform: async (plan) => {
        const { rows, watermark } = await exportRows(plan, { body, request }, execution, service);
        return {
          content: await createdJob(recheckAccess(rows, service.metadata, askAgain), execution),
          watermark: watermark,
        };
      },
    });
    return bytes(content, mediaType, 200, { ...service.jobs.headers(call), ...watermarkHeader({ watermark }) });
  } catch (error) {
    execution.end('failed');
    throw error;
  }
}

interface ExportResult {
  readonly rows: Export;
  /** Up to which position they are whole. */
  readonly watermark: bigint;
}

async function exportRows(
  compiled: CompiledQuery,
  { body, request }: { readonly body: ExportBody; readonly request: AplRequest },
  execution: QueryExecution,
  service: QueryService,
): Promise<ExportResult> {
  const { settings, engine, storage } = service;
  const { make } = exports[body.format ?? 'ndjson'];
  const datasetIds = readIdsOf(service, compiled);
  await storage.flush(datasetIds);
  const watermark = storage.reads.watermark(datasetIds);
  const bounds = storage.reads.bounds(datasetIds, arrivedBy(request).arrived);
  const what = { compiled: await narrowByTerms(compiled, datasetIds, storage), cursors: request.cursorField };
  const shards = new AcrossShards(engine, settings.queryMaxResultBytes);
  const rows = storage.readers.stream(datasetIds, execution.signal, (reading) =>
    // The reader's rate counts sent bytes: NDJSON repeats the names of fields and may be many times
    // longer than the engine's output.
    execution.stream(reading, (signal, memoryBytes) =>
      make(what, async function* (query, format, engineSettings) {
        // No time limit, because it would include the reader's pauses.
        const options = {
          signal,
          limits: { maxMemoryBytes: Math.min(settings.queryMemoryBytes, memoryBytes) },
          settings: { ...engineSettings, ...bounds },
        };
        const { sql, moved } = await namingShards(service, compiled.datasets, () => shards.localize(query, options));
        yield* engine.stream(sql, { ...options, format, moved });
      }),
    ),
  );
  return { rows, watermark };
}
