import { resolve } from 'node:path';
import { Type } from 'typebox';
import { httpError } from '../errors.js';
import { bytes, type Call, json, route, type Route } from '../http/route.js';
import { optional, textOf } from '../schemas/parts.js';
import { DatasetDeleted } from '../storage/readers.js';
import { Layout, layoutsOf } from '../storage/tables/layout.js';
import { snapshotQuery } from '../storage/tables/snapshot.js';
import { ExportPlaces } from '../query/run/export-places.js';
import type { QueryParts } from '../query/service.js';
import { whileAllowed } from '../query/while-allowed.js';
import { copyMetadata } from './metadata-copy.js';

/**
 * What `millrace backup` reads from a running server. The backup is the state at one position of
 * the log: everything acknowledged before `begin` is in it, whole, and nothing later. The metadata
 * is read after the data and so knows every field the data has, except those that a vacuum removes
 * in between, which `restore.ts` adds again.
 */

const tag = 'Operations';
/**
 * A backup holds every event, the audit log and the hashes of all tokens: only those who administer
 * the server may take one, and only if they may read all of that anyway.
 */
const need = { scope: 'org', resource: 'rbac', action: 'create' } as const;
const rights = 'In addition, the right to query every dataset (`*`) and to read the audit log is needed.';

function requireEverything({ require }: Pick<Call, 'require'>): void {
  require({ scope: 'dataset', name: '*', resource: 'query', action: 'read' });
  require({ scope: 'org', resource: 'auditLog', action: 'read' });
}

const Begun = Type.Object({
  position: Type.String({ description: 'Position of the log the backup is cut at.' }),
  pause: Type.String({ description: 'Name it when reading the metadata: refused batches may be tried again then.' }),
  datasets: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), columns: optional(Layout) })),
  refused: Type.Array(Type.String(), {
    description:
      'Positions of acknowledged batches the engine refuses. The metadata has them as they came, so the backup has them too, and a server over a restored directory tries them again at each start. If the metadata that is read lacks one of them, it was deleted meanwhile, or has gone in, perhaps after its dataset was read: begin again.',
  }),
});

export function backupRoutes(parts: QueryParts): readonly Route[] {
  const { storage, metadata, settings } = parts;
  // Backups have a place of their own, because one that has to wait behind exports may be missing
  // when it is needed.
  const places = new ExportPlaces({ atOnce: 1, leastReaderPace: settings.leastReaderPace });
  return [
    route({
      method: 'POST',
      path: '/v1/backup',
      operation: 'beginBackup',
      tag,
      summary: 'Begin a backup',
      description: `Brings everything acknowledged so far into the engine and answers at which position to cut. Batches that the engine has refused are not tried again before the metadata is read. ${rights}`,
      need,
      request: {},
      responses: { 200: { description: 'What to read.', schema: Begun } },
      errors: ['storage-unavailable'],
      handle: async (call) => {
        requireEverything(call);
        // A batch that went into the engine after its dataset was read and before the metadata is
        // read would be missing from both.
        const { accounts } = storage;
        const pause = await accounts.retries.pause();
        const { position, datasets, layouts } = await cut(parts).catch((error: unknown) => {
          accounts.retries.resume(pause);
          throw error;
        });
        return json({
          position: String(position),
          pause,
          datasets: datasets.map(({ datasetId, name }) => ({ id: datasetId, name, columns: layouts.get(datasetId) })),
          refused: accounts.refused.map(String),
        });
      },
    }),
    route({
      method: 'GET',
      path: '/v1/backup/datasets/{id}',
      operation: 'backupDataset',
      tag,
      summary: 'Events of a dataset up to a position, as Parquet',
      description:
        'If the dataset is deleted meanwhile, the answer is 404, or the connection is closed before the last chunk. The metadata, which is read later, does not have it either. ' +
        'One dataset is sent at a time. While another waits, one that is read more slowly than `MILLRACE_LEAST_READER_PACE` is ended, again before the last chunk. ' +
        rights,
      need,
      request: {
        params: Type.Object({ id: Type.Integer() }),
        query: Type.Object({ upTo: textOf('position', { description: 'Position to cut at.' }) }),
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
        const allowed = whileAllowed(rows, metadata, async () => {
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
      summary: 'The metadata, as a SQLite file',
      description: rights,
      need,
      request: {
        query: Type.Object({
          pause: optional(
            Type.String({
              description:
                'As the answer to `POST /v1/backup` names it. It may be named again, and ends no other; one that nobody names ends after half a day.',
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
        const { accounts } = storage;
        const copy = await copyMetadata(metadata.database, resolve(settings.dataDir));
        if (pause !== undefined) accounts.retries.resume(pause);
        const content = copy.createReadStream({ signal });
        // A stream that is aborted before anybody reads it has no other listener, and an 'error'
        // nobody listens for ends the process.
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
  const position = await storage.accounts.settle();
  // Not earlier: a dataset that was made while this waited has events before the cut too.
  const datasets = metadata.datasets.list();
  return { position, datasets, layouts: await layoutsOf(engine) };
}

const notFound = (id: number): Error => httpError('not-found', { kind: 'dataset', name: String(id) });

/**
 * The file of a dataset. It breaks off when the dataset is deleted; otherwise the removal would
 * wait for whoever reads the file, and later removals would wait behind it.
 */
async function* snapshot(
  { engine, storage, places }: Pick<QueryParts, 'engine' | 'storage'> & { readonly places: ExportPlaces },
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
