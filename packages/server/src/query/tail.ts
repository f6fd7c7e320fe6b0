import { setTimeout as pause } from 'node:timers/promises';
import type { Compiled } from '@millrace/apl';
import type { Select } from '@millrace/sql';
import { Breath } from '../async/breath.js';
import { httpError } from '../errors.js';
import type { Call } from '../http/route.js';
import { DatasetDeleted } from '../storage/readers.js';
import { aplRequest } from './compile/request.js';
import { ndjsonExport } from './export.js';
import { followedDataset, requireRowWise } from './followable.js';
import { prepare } from './prepare.js';
import { limitsOf } from './run/execute.js';
import type { JobCourse } from './run/jobs.js';
import { readIdsOf, type QueryService } from './service.js';
import { requestBounds } from '../bounds.js';

/**
 * The events of a dataset in the order in which they arrived. Positions only grow and a batch is
 * seen whole or not at all, so whoever has everything up to a settled position misses nothing,
 * however late its events are dated, and goes on from there after a break.
 */

/** The last row that somebody has. */
export interface Arrived {
  readonly seq: bigint;
  readonly row: number;
}

/** The row behind all of a batch. */
const BATCH_END = 2 ** 32 - 1;

/** Every row of the batches up to a position. */
export const wholeBatch = (seq: bigint): Arrived => ({ seq, row: BATCH_END });

/** Whether there may be events behind a row, up to a settled position: also in its own batch. */
const mayFollow = ({ seq, row }: Arrived, settled: bigint): boolean =>
  settled > seq || (settled === seq && row < BATCH_END);

/** Few enough to be held while a reader takes them. */
const pageRows = 1000;
/**
 * Who is behind gets larger pages, as long as they are no larger than this: each asks the engine,
 * which takes about as long for a few events as for thousands.
 */
const mostRows = 16_000;
const pageBytes = 4 * 1024 * 1024;
/** Rows that are written between two looks at how long it has taken. */
const rowsAtOnce = 100;
/**
 * The least time between two pages that are not full: each brings what was acknowledged into the
 * engine, in a part of its own.
 */
const restMilliseconds = 200;
/** So often somebody hears that there was nothing. */
const beatMilliseconds = 1000;

const line = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

interface Tailed {
  readonly apl: string;
  /** Where to go on; from now on if left out. */
  readonly after: Arrived | undefined;
}

/**
 * Lines about events, settled positions, and the end.
 * @throws HttpError of a query that cannot be followed, before the first line
 */
export async function startTail(
  call: Pick<Call, 'may' | 'renew'>,
  { apl, after }: Tailed,
  course: JobCourse,
  service: QueryService,
): Promise<AsyncGenerator<Uint8Array>> {
  const { metadata } = service;
  const views = new Set((await metadata.views.list()).map(({ name }) => name));
  followedDataset(apl, { ...service.settings, datasets: metadata.datasets, views });
  const prepareAnew = (): Promise<Compiled> => preparedTail(call, apl, course, service);
  const first = await prepareAnew();
  requireRowWise(first);
  const datasetIds = readIdsOf(service, first);
  const begin = after ?? wholeBatch(service.storage.questions.settled(datasetIds));
  return lines({ prepareAnew, datasetIds, begin, renew: call.renew, course, service });
}

function preparedTail(
  call: Pick<Call, 'may' | 'renew'>,
  apl: string,
  course: JobCourse,
  service: QueryService,
): Promise<Compiled> {
  const now = service.arrivalClock();
  const everything = 2 ** 53 - 1;
  const options = { defaultLimit: everything, maxLimit: everything, output: 'json' } as const;
  return prepare(aplRequest({ apl }, {}, now), { call, course, service, now, cached: true }, options);
}

interface Following {
  readonly prepareAnew: () => Promise<Compiled>;
  readonly datasetIds: readonly number[];
  readonly begin: Arrived;
  /** Looks again whether the reader may still read. */
  readonly renew: () => Promise<void>;
  readonly course: JobCourse;
  readonly service: QueryService;
}

async function* lines({
  prepareAnew,
  datasetIds,
  begin,
  renew,
  course,
  service,
}: Following): AsyncGenerator<Uint8Array> {
  const { storage, metadata } = service;
  let rights = metadata.accessVersion();
  const started = performance.now();
  let after = begin;
  let told = -Infinity;
  let version: string | undefined;
  let rows = pageRows;
  for (;;) {
    if (course.signal.aborted) throw httpError('query-cancelled', {});
    await metadata.upToDate();
    // Somebody's rights have changed, perhaps the reader's.
    if (metadata.accessVersion() !== rights) await renew();
    rights = metadata.accessVersion();
    if (performance.now() - started > requestBounds.tailMilliseconds.most)
      return yield line({ end: { reason: 'time' } });
    const asked = performance.now();
    const seen = storage.versionOf(datasetIds);
    if (seen !== version) {
      version = seen;
      await storage.flush(datasetIds);
    }
    const settled = storage.questions.settled(datasetIds);
    if (mayFollow(after, settled)) {
      const page = await pageOf({ prepareAnew, datasetIds, course, service }, { after, upTo: settled, rows });
      if (page.last !== undefined) yield page.lines;
      if (page.last !== undefined && page.rows >= rows) {
        after = page.last;
        const fitting = Math.floor((rows * pageBytes) / page.lines.length);
        rows = Math.max(pageRows, Math.min(mostRows, rows * 4, fitting));
        // There is more: the reader is behind, or was away for long.
        yield line({ behind: { position: String(after.seq), settled: String(settled) } });
        continue;
      }
      rows = pageRows;
      after = wholeBatch(settled);
      told = -Infinity;
    }
    if (performance.now() - told >= beatMilliseconds) {
      told = performance.now();
      yield line({ settled: String(after.seq), at: new Date().toISOString() });
    }
    // An abort ends the pause early.
    const rest = restMilliseconds - (performance.now() - asked);
    await pause(Math.max(rest, 20), undefined, { signal: course.signal }).catch(() => undefined);
  }
}

interface Page {
  /** One for each event, in one piece. */
  readonly lines: Uint8Array;
  readonly rows: number;
  readonly last: Arrived | undefined;
}

/**
 * The next events behind a row, in the order of arrival. Fields may have come since the last page,
 * so it is compiled anew. The index of `_seq` skips what came earlier: of 245 granules of two
 * million events in order, the last page reads 3.
 */
async function pageOf(
  { prepareAnew, datasetIds, course, service }: Omit<Following, 'begin' | 'renew'>,
  { after, upTo, rows }: { readonly after: Arrived; readonly upTo: bigint; readonly rows: number },
): Promise<Page> {
  const compiled = await prepareAnew();
  const { engine, settings, storage } = service;
  if (readIdsOf(service, compiled).join() !== datasetIds.join()) throw new DatasetDeleted();
  const query = inOrderOfArrival(compiled.query, rows);
  course.anew();
  return course.page(async (_, { memoryBytes }) => {
    const { signal } = course;
    const bounds = storage.questions.bounds(datasetIds, { after: after.seq, row: after.row, upTo });
    const chunks: Uint8Array[] = [];
    const stream = ndjsonExport({ compiled: { ...compiled, query }, cursors: true }, (sql, format, more) =>
      engine.stream(sql, { format, signal, limits: limitsOf(settings, memoryBytes), settings: { ...more, ...bounds } }),
    );
    for await (const chunk of stream) chunks.push(chunk);
    const exported = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
    const breath = new Breath();
    const texts: string[] = [];
    let last: Arrived | undefined;
    for (const [i, one] of exported.entries()) {
      const { text, place } = eventLine(one);
      texts.push(text);
      last = place;
      if (i % rowsAtOnce === 0) await breath.take();
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
function eventLine(exported: string): { readonly text: string; readonly place: Arrived } {
  const from = exported.lastIndexOf('"_cursor":"');
  const cursor = exported.slice(from + '"_cursor":"'.length, -2);
  const [, seq = '', row = ''] = cursor.split('-');
  const event = `${exported.slice(0, from).replace(/,$/, '')}}`;
  const place = { seq: BigInt(`0x${seq}`), row: Number.parseInt(row, 16) };
  return { text: `{"event":${event},"position":"${place.seq}","cursor":"${cursor}"}\n`, place };
}
