import { resolve } from 'node:path';
import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { bytes, type RequestContext, json, route, type Route } from '@millrace/http/route';
import { optional, textOf } from '@millrace/api/schemas/parts';
import { DatasetDeleted } from '@millrace/storage/readers';
import { Layout, layoutsOf } from '@millrace/storage/tables/layout';
import { snapshotQuery } from '@millrace/storage/tables/snapshot';
import { ExportSlots } from '@millrace/query/schedule/export-slots';
import type { QueryParts } from '@millrace/query/service';
import { recheckAccess } from '@millrace/query/recheck-access';
import { copyMetadata } from './metadata-copy.js';

/**
 * Routes that `millrace backup` reads from a running server. The backup is the state at one log
 * position: it contains everything acknowledged before `begin`, and nothing later. The metadata is
 * read after the data, so it knows every field of the data, except fields that a vacuum removes in
 * between; `restore.ts` adds these again.
 */

const tag = 'Operations';
/**
 * A backup contains every event, the audit log and the hashes of all tokens: only administrators
 * who may read all of that may take one.
 */
const need = { scope: 'org', resource: 'rbac', action: 'create' } as const;
const rights = 'In addition, the right to query every dataset (`*`) and to read the audit log is needed.';

function requireEverything({ require }: Pick<RequestContext, 'require'>): void {
  require({ scope: 'dataset', name: '*', resource: 'query', action: 'read' });
  require({ scope: 'org', resource: 'auditLog', action: 'read' });
}

const BackupStart = Type.Object({
  position: Type.String({ description: 'Log position of the backup.' }),
  pause: Type.String({
    description: 'Pass it when you read the metadata; that resumes retries of quarantined batches.',
  }),
  datasets: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), columns: optional(Layout) })),
  refused: Type.Array(Type.String(), {
    description:
      'Positions of quarantined batches: acknowledged, but rejected by the engine. The metadata contains them as received, so the backup does too, and a restored server retries them at each start. If the metadata you read lacks one of them, it was deleted or stored in the meantime, perhaps after its dataset was read: restart the backup.',
  }),
});

export function backupRoutes(parts: QueryParts): readonly Route[] {
  const { storage, metadata, settings } = parts;
  // Backups have a separate slot: waiting for exports could delay a backup past the time when it is
  // needed.
  const places = new ExportSlots({ atOnce: 1, leastReaderPace: settings.leastReaderPace });
  return [
    route({
      method: 'POST',
      path: '/v1/backup',
      operation: 'beginBackup',
      tag,
      summary: 'Begin a backup',
      description: `Flushes all acknowledged events and returns the log position of the backup. Quarantined batches are not retried until the metadata is read. ${rights}`,
      need,
      request: {},
      responses: { 200: { description: 'What to download.', schema: BackupStart } },
      errors: ['storage-unavailable'],
      handle: async (call) => {
        requireEverything(call);
        // A batch that went into the engine after its dataset was read and before the metadata is
        // read would be missing from both.
        const { ledger } = storage;
        const pause = await ledger.retries.pause();
        const { position, datasets, layouts } = await cut(parts).catch((error: unknown) => {
          ledger.retries.resume(pause);
          throw error;
        });
        return json({
          position: String(position),
          pause,
          datasets: datasets.map(({ datasetId, name }) => ({ id: datasetId, name, columns: layouts.get(datasetId) })),
          refused: ledger.quarantinedPositions.map(String),
        });
      },
    }),
    route({
      method: 'GET',
      path: '/v1/backup/datasets/{id}',
      operation: 'backupDataset',
      tag,
      summary: 'Get events of a dataset up to a position, as Parquet',
      description:
        'If the dataset is deleted in the meantime, the response is 404, or the connection is closed before the last chunk. The metadata, which is read later, does not contain it either. ' +
        'One dataset is sent at a time. While another is queued, a transfer slower than `MILLRACE_LEAST_READER_PACE` is aborted before the last chunk. ' +
        rights,
      need,
      request: {
        params: Type.Object({ id: Type.Integer() }),
        query: Type.Object({ upTo: textOf('position', { description: 'Log position of the backup.' }) }),
      },
      responses: { 200: { description: 'One file.', mediaTypes: ['application/vnd.apache.parquet'] } },
      errors: ['not-found', 'storage-unavailable'],
      streams: true,
      refusesHead: true,
      handle: (call) => {
        requireEverything(call);
        const {
          params: { id },
          query: { upTo },
          abort: { signal },
        } = call;
        if (storage.dataset(id) === undefined) throw notFound(id);
        const rows = snapshot({ ...parts, places }, id, BigInt(upTo), signal);
        const allowed = recheckAccess(rows, metadata, async () => {
          await call.renew();
          requireEverything(call);
        });
        return bytes(allowed, 'application/vnd.apache.parquet');
      },
    }),
    route({
      method: 'GET',
      path: '/v1/backup/metadata',
      operation: 'backupMetadata',
      tag,
      summary: 'Get the metadata as a SQLite file',
      description: rights,
      need,
      request: {
        query: Type.Object({
          pause: optional(
            Type.String({
              description:
                '`pause` from the response to `POST /v1/backup`. It can be passed repeatedly and ends no other pause; an unused one ends after 12 hours.',
            }),
          ),
        }),
      },
      responses: { 200: { description: 'One file.', mediaTypes: ['application/vnd.sqlite3'] } },
      streams: true,
      refusesHead: true,
      handle: async (call) => {
        requireEverything(call);
        const {
          query: { pause },
          abort: { signal },
        } = call;
        const { ledger } = storage;
        const copy = await copyMetadata(metadata.database, resolve(settings.dataDir));
        if (pause !== undefined) ledger.retries.resume(pause);
        const content = copy.createReadStream({ signal });
        // A stream that is aborted before it is read has no other listener, and an 'error' event
        // without a listener ends the process.
        content.on('error', () => undefined);
        return bytes(content as AsyncIterable<Buffer>, 'application/vnd.sqlite3');
      },
    }),
  ];
}

/**
 * The position up to which everything is in the engine, and the datasets and the columns of their
 * tables then.
 */
async function cut({ engine, metadata, storage }: Pick<QueryParts, 'engine' | 'metadata' | 'storage'>) {
  const position = await storage.ledger.flushAll();
  // Not earlier: datasets created while this waited also have events before the position.
  const datasets = metadata.datasets.list();
  return { position, datasets, layouts: await layoutsOf(engine) };
}

const notFound = (id: number): Error => httpError('not-found', { kind: 'dataset', name: String(id) });

/**
 * Streams the file of a dataset. Aborts when the dataset is deleted: otherwise the deletion would
 * wait for the reader, and block later deletions.
 */
async function* snapshot(
  { engine, storage, places }: Pick<QueryParts, 'engine' | 'storage'> & { readonly places: ExportSlots },
  id: number,
  upTo: bigint,
  outer: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const query = snapshotQuery(id, upTo);
  const read = (reading: AbortSignal): AsyncIterable<Uint8Array> =>
    places.stream('backups', reading, (signal) => engine.stream(query, { format: 'Parquet', signal, priority: 'low' }));
  try {
    yield* storage.readers.stream([id], outer, read);
  } catch (error) {
    throw error instanceof DatasetDeleted ? notFound(id) : error;
  }
}
