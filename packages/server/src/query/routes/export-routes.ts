import type { Compiled } from '@millrace/apl';
import { type Static, Type } from 'typebox';
import { bytes, route, type Answer, type Call, type Route } from '../../http/route.js';
import { oneOf } from '../../schemas/parts.js';
import { attempted } from '../attempts.js';
import { settledHeader } from '../answers/settled.js';
import { whileAllowed } from '../while-allowed.js';
import { begun } from '../answers/answer-job.js';
import { csvExport, ndjsonExport, parquetExport, type Export } from '../export.js';
import { prepare } from '../prepare.js';
import type { Course } from '../run/jobs.js';
import { queryErrors } from './query-errors.js';
import { AplBody, type AplRequest, aplRequest, arrivedBy, requireForwards } from '../compile/request.js';
import { readIdsOf, type QueryService } from '../service.js';
import { withWords } from '../run/with-words.js';

/** Exports: everything a query matches, without a limit, sent as the engine reads it. */

const format = Type.Optional(
  oneOf(['ndjson', 'csv', 'parquet'], { default: 'ndjson', description: 'NDJSON if left out.' }),
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
      'Streamed in constant memory at the pace of the reader. An export that fails after it has begun closes the connection before the last chunk ' +
      '(curl exits with 18), and its Parquet file lacks the end; if the answer is complete, so is the export. Over HTTP/1.0 a client could not ' +
      'tell, so exports are refused. An export fails when a dataset that it reads is deleted, even one whose rows have all been sent, and when it is read ' +
      'more slowly than `MILLRACE_LEAST_READER_PACE` while another waits for its place. With `includeCursorField` each event has `_cursor`, ' +
      'and an export with that cursor continues after the event. In CSV and Parquet, arrays and objects are JSON texts, and so are values other ' +
      'than strings of fields with several types; rare fields share the column `_rest`, an object. In NDJSON all fields are members.',
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
      summary: 'Export everything a query matches',
      request: { query: ExportQuery },
      examples: [{ summary: 'Errors as CSV', query: { apl: "['http-logs'] | where status >= 500", format: 'csv' } }],
      handle: (call) => answerExport(call, call.query, service),
    }),
    route({
      ...common,
      method: 'POST',
      operation: 'export',
      summary: 'Export everything a query matches',
      request: { body: ExportBody },
      examples: [{ summary: 'Errors', body: { apl: "['http-logs'] | where status >= 500", startTime: 'now-1d' } }],
      exactIntegers: true,
      handle: (call) => answerExport(call, call.body, service),
    }),
  ];
}

/** More rows than there can be. */
const everything = 2 ** 53 - 1;

async function answerExport(call: Call, body: ExportBody, service: QueryService): Promise<Answer> {
  const { mediaType } = exports[body.format ?? 'ndjson'];
  const course = service.jobs.begin(call, { kind: 'export', text: body.apl });
  try {
    const now = service.arrivalClock();
    const request = aplRequest(body, {}, now);
    requireForwards(request);
    const { output } = exports[body.format ?? 'ndjson'];
    const options = { defaultLimit: everything, maxLimit: everything, output };
    const prepared = () => prepare(request, { call, course, service, now, cached: true }, options);
    const askAgain = async (): Promise<void> => {
      await call.renew();
      await prepared();
    };
    const { content, settled } = await attempted({
      prepare: prepared,
      perform: async (plan) => {
        const { rows, settled } = await exported(plan, { body, request }, course, service);
        return { content: await begun(whileAllowed(rows, service.metadata, askAgain), course), settled };
      },
    });
    return bytes(content, mediaType, 200, { ...service.jobs.headers(call), ...settledHeader({ settled }) });
  } catch (error) {
    course.end('failed');
    throw error;
  }
}

interface Exported {
  readonly rows: Export;
  /** Up to which position they are whole. */
  readonly settled: bigint;
}

async function exported(
  compiled: Compiled,
  { body, request }: { readonly body: ExportBody; readonly request: AplRequest },
  course: Course,
  service: QueryService,
): Promise<Exported> {
  const { settings, engine, storage } = service;
  const { make } = exports[body.format ?? 'ndjson'];
  const datasetIds = readIdsOf(service, compiled);
  await storage.flush(datasetIds);
  const settled = storage.questions.settled(datasetIds);
  const bounds = storage.questions.bounds(datasetIds, arrivedBy(request).arrived);
  const what = { compiled: await withWords(compiled, datasetIds, storage), cursors: request.cursorField };
  const rows = storage.readers.stream(datasetIds, course.signal, (reading) =>
    // The reader's pace is that of the bytes sent: NDJSON repeats the names of fields and may be
    // many times as long as what the engine writes.
    course.stream(reading, (signal, memoryBytes) =>
      make(what, (sql, format, engineSettings) =>
        // No time limit, because it would include the reader's pauses.
        engine.stream(sql, {
          format,
          signal,
          limits: { maxMemoryBytes: Math.min(settings.queryMemoryBytes, memoryBytes) },
          settings: { ...engineSettings, ...bounds },
        }),
      ),
    ),
  );
  return { rows, settled };
}
