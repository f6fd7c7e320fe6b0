import { setTimeout as pause } from 'node:timers/promises';
import type { CompiledQuery } from '@millrace/apl';
import { printQuery, type Select } from '@millrace/sql';
import { Yielder } from '@millrace/runtime/async/yield';
import { httpError } from '@millrace/api/errors';
import type { RequestContext } from '@millrace/http/route';
import { DatasetDeleted } from '@millrace/storage/readers';
import { aplRequest } from './compile/request.js';
import { ndjsonExport } from './export.js';
import { tailedDataset, assertRowWise } from './tailable.js';
import { prepare } from './prepare.js';
import { limitsOf } from './run/plan-run.js';
import type { OwnedExecution } from './schedule/jobs.js';
import { readIdsOf, type QueryService } from './service.js';
import { requestBounds } from '@millrace/api/limits';

/**
 * Tails a dataset: its events in ingest order. Positions only grow and a batch becomes visible
 * atomically, so a reader that has everything up to a watermark misses no event, however old its
 * event time, and can resume after a disconnect.
 */

/** The last row that a reader received. */
export interface TailPosition {
  readonly seq: bigint;
  readonly row: number;
}

/** The row after the last row of any batch. */
const BATCH_END = 2 ** 32 - 1;

/** Every row of the batches up to a position. */
export const wholeBatch = (seq: bigint): TailPosition => ({ seq, row: BATCH_END });

/** Whether there may be events after a row, up to a watermark, including its own batch. */
const mayFollow = ({ seq, row }: TailPosition, watermark: bigint): boolean =>
  watermark > seq || (watermark === seq && row < BATCH_END);

/** Few enough to buffer while a reader takes them. */
const pageRows = 1000;
/**
 * A lagging reader gets pages up to this size: each is a query, and the engine takes about as long
 * for a few events as for thousands.
 */
const maxRows = 16_000;
const pageBytes = 4 * 1024 * 1024;
/** Rows that are written between two checks of the elapsed time. */
const rowsAtOnce = 100;
/**
 * Minimum milliseconds between two pages that are not full: each flushes acknowledged batches to
 * the engine, as a separate part.
 */
const restMilliseconds = 200;
/** Milliseconds between heartbeats without events. */
const beatMilliseconds = 1000;

const line = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

interface TailRequest {
  readonly apl: string;
  /** Where to go on; from now on if left out. */
  readonly after: TailPosition | undefined;
}

/**
 * Lines about events, settled positions, and the end.
 * @throws HttpError of a query that cannot be followed, before the first line
 */
export async function startTail(
  call: Pick<RequestContext, 'may' | 'renew'>,
  { apl, after }: TailRequest,
  execution: OwnedExecution,
  service: QueryService,
): Promise<AsyncGenerator<Uint8Array>> {
  const { metadata } = service;
  const views = new Set((await metadata.views.list()).map(({ name }) => name));
  tailedDataset(apl, { ...service.settings, datasets: metadata.datasets, views });
  const prepareAnew = (): Promise<CompiledQuery> => preparedTail(call, apl, execution, service);
  const first = await prepareAnew();
  assertRowWise(first);
  const datasetIds = readIdsOf(service, first);
  // Acknowledged events are before the start, so that a query with it as `asOf` has them.
  if (after === undefined) await service.storage.flush(datasetIds);
  const begin = after ?? wholeBatch(service.storage.reads.watermark(datasetIds));
  return lines({ prepareAnew, datasetIds, begin, isNew: after === undefined, renew: call.renew, execution, service });
}

function preparedTail(
  call: Pick<RequestContext, 'may' | 'renew'>,
  apl: string,
  execution: OwnedExecution,
  service: QueryService,
): Promise<CompiledQuery> {
  const now = service.arrivalClock();
  const everything = 2 ** 53 - 1;
  const options = { defaultLimit: everything, maxLimit: everything, output: 'json' } as const;
  return prepare(aplRequest({ apl }, {}, now), { call, execution, service, now, cached: true }, options);
}

interface FollowOptions {
  readonly prepareAnew: () => Promise<CompiledQuery>;
  readonly datasetIds: readonly number[];
  readonly begin: TailPosition;
  /** Whether the tail chose its start, which the first line then reports. */
  readonly isNew: boolean;
  /** Looks again whether the reader may still read. */
  readonly renew: () => Promise<void>;
  readonly execution: OwnedExecution;
  readonly service: QueryService;
}

async function* lines({
  prepareAnew,
  datasetIds,
  begin,
  isNew,
  renew,
  execution,
  service,
}: FollowOptions): AsyncGenerator<Uint8Array> {
  const { storage, metadata } = service;
  let rights = metadata.accessVersion();
  const started = performance.now();
  let after = begin;
  let reportedAt = -Infinity;
  let version: string | undefined;
  let rows = pageRows;
  if (isNew) {
    const position = String(begin.seq);
    yield line({ settled: position, at: new Date().toISOString(), since: position });
  }
  for (;;) {
    if (execution.signal.aborted) throw httpError('query-cancelled', {});
    await metadata.upToDate();
    // Permissions have changed, perhaps the reader's.
    if (metadata.accessVersion() !== rights) await renew();
    rights = metadata.accessVersion();
    if (performance.now() - started > requestBounds.tailMilliseconds.max)
      return yield line({ end: { reason: 'time' } });
    const pollStart = performance.now();
    const seen = storage.versionOf(datasetIds);
    if (seen !== version) {
      version = seen;
      await storage.flush(datasetIds);
    }
    const watermark = storage.reads.watermark(datasetIds);
    if (mayFollow(after, watermark)) {
      const page = await pageOf({ prepareAnew, datasetIds, execution, service }, { after, upTo: watermark, rows });
      if (page.last !== undefined) yield page.lines;
      if (page.last !== undefined && page.rows >= rows) {
        after = page.last;
        const fitting = Math.floor((rows * pageBytes) / page.lines.length);
        rows = Math.max(pageRows, Math.min(maxRows, rows * 4, fitting));
        // There is more: the reader lags, or was disconnected for long.
        yield line({ behind: { position: String(after.seq), settled: String(watermark) } });
        continue;
      }
      rows = pageRows;
      after = wholeBatch(watermark);
      reportedAt = -Infinity;
    }
    if (performance.now() - reportedAt >= beatMilliseconds) {
      reportedAt = performance.now();
      yield line({ settled: String(after.seq), at: new Date().toISOString() });
    }
    // An abort ends the pause early.
    const rest = restMilliseconds - (performance.now() - pollStart);
    await pause(Math.max(rest, 20), undefined, { signal: execution.signal }).catch(() => undefined);
  }
}

interface Page {
  /** One for each event, in one piece. */
  readonly lines: Uint8Array;
  readonly rows: number;
  readonly last: TailPosition | undefined;
}

/**
 * The next events after a row, in ingest order. Compiled again for each page, because fields may
 * have been added since. The index of `_seq` skips earlier events: of 245 granules of two million
 * events in order, the last page reads 3.
 */
async function pageOf(
  { prepareAnew, datasetIds, execution, service }: Omit<FollowOptions, 'begin' | 'isNew' | 'renew'>,
  { after, upTo, rows }: { readonly after: TailPosition; readonly upTo: bigint; readonly rows: number },
): Promise<Page> {
  const compiled = await prepareAnew();
  const { engine, settings, storage } = service;
  if (readIdsOf(service, compiled).join() !== datasetIds.join()) throw new DatasetDeleted();
  const query = inOrderOfArrival(compiled.query, rows);
  execution.resetDeadline();
  return execution.runPage(async (_, { memoryBytes }) => {
    const { signal } = execution;
    const bounds = storage.reads.bounds(datasetIds, { after: after.seq, row: after.row, upTo });
    const chunks: Uint8Array[] = [];
    const stream = ndjsonExport({ compiled: { ...compiled, query }, cursors: true }, (one, format, more) =>
      // A tail reads one dataset.
      engine.stream(printQuery(one), {
        format,
        signal,
        limits: limitsOf(settings, memoryBytes),
        settings: { ...more, ...bounds },
      }),
    );
    for await (const chunk of stream) chunks.push(chunk);
    const exported = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
    const yielder = new Yielder();
    const texts: string[] = [];
    let last: TailPosition | undefined;
    for (const [i, one] of exported.entries()) {
      const { text, place } = eventLine(one);
      texts.push(text);
      last = place;
      if (i % rowsAtOnce === 0) await yielder.maybeYield();
    }
    return { lines: Buffer.from(texts.join('')), rows: texts.length, last };
  });
}

/** Row ids are in the last three columns: time, position, row. */
function inOrderOfArrival(query: Select, rows: number): Select {
  const [, seq, row] = query.columns.slice(-3);
  if (seq === undefined || row === undefined) throw new RangeError('a query without row ids');
  const key = (expr: (typeof seq)['expr']) => ({ expr, descending: false, nullsFirst: false });
  return { ...query, orderBy: [key(seq.expr), key(row.expr)], limit: rows };
}

/**
 * `{…,"_cursor":"…"}` as the line about one event. Its cursor has a fixed length, and comes last.
 */
function eventLine(exported: string): { readonly text: string; readonly place: TailPosition } {
  const from = exported.lastIndexOf('"_cursor":"');
  const cursor = exported.slice(from + '"_cursor":"'.length, -2);
  const [, seq = '', row = ''] = cursor.split('-');
  const event = `${exported.slice(0, from).replace(/,$/, '')}}`;
  const place = { seq: BigInt(`0x${seq}`), row: Number.parseInt(row, 16) };
  return { text: `{"event":${event},"position":"${place.seq}","cursor":"${cursor}"}\n`, place };
}
