import { EngineError, UnknownShardError } from '@millrace/engine';
import { LogError } from '@millrace/log';
import { type HttpError, httpError } from '@millrace/api/errors';
import { MetadataError } from '@millrace/metadata/metadata-error';
import type { ErrorTranslator } from '@millrace/http/errors/error-responses';
import type { Settings } from '@millrace/http/settings/settings';
import { ColdUnavailableError } from '@millrace/storage/cold/cold-unavailable-error';
import { DiskFullError } from '@millrace/storage/disk-full-error';
import { DatasetDeleted } from '@millrace/storage/readers';
import { NotConfirmed } from '@millrace/storage/cluster/not-confirmed';
import { BackpressureError } from '@millrace/storage/backpressure';

/**
 * Translates errors of the storage, the log, the metadata and the engine for clients: never their
 * own messages.
 */
export function errorTranslator(settings: Settings): ErrorTranslator {
  return (error) => {
    const later = { headers: { 'retry-after': '1' }, cause: error };
    if (error instanceof BackpressureError) return httpError('ingest-behind', { pending: error.pendingBytes }, later);
    if (error instanceof NotConfirmed) return httpError('not-confirmed', {}, later);
    if (error instanceof LogError) return ofLog(error, later);
    if (error instanceof MetadataError) return httpError(metadataCodes[error.code], {}, later);
    // This ends exports that have begun; other queries are run again.
    if (error instanceof DatasetDeleted) return httpError('dataset-deleted', {}, { cause: error });
    if (error instanceof ColdUnavailableError) return httpError('cold-unavailable', { ...error.days }, later);
    if (error instanceof UnknownShardError) return httpError('shard-unknown', { shard: error.shard }, later);
    if (error instanceof EngineError) return ofEngine(error, settings, later);
    return undefined;
  };
}

const metadataCodes = {
  'disk-full': 'disk-full-change',
  locked: 'storage-unavailable',
  unavailable: 'storage-unavailable',
  damaged: 'storage-unavailable',
  away: 'metadata-unavailable',
  outdated: 'metadata-unavailable',
} as const;

function fullDiskCode(error: EngineError): 'disk-full-change' | 'disk-full-read' | 'disk-full-trim' {
  if (!(error instanceof DiskFullError)) return 'disk-full-change';
  return error.prevents === 'reading' ? 'disk-full-read' : 'disk-full-trim';
}

interface Later {
  readonly headers: { readonly 'retry-after': string };
  readonly cause: unknown;
}

function ofLog(error: LogError, later: Later): HttpError {
  switch (error.code) {
    case 'disk-full':
      return httpError('disk-full', {}, later);
    case 'log-full':
    case 'overloaded':
      return httpError('ingest-behind', { pending: 'too many' }, later);
    case 'frame-too-large':
      return httpError('invalid-events', { problem: 'the events of one request take too much room; send fewer' });
    default:
      return httpError('storage-unavailable', {}, later);
  }
}

function ofEngine(error: EngineError, settings: Settings, later: Later): HttpError | undefined {
  const { cause } = later;
  switch (error.code) {
    case 'memory-limit':
      return httpError('query-out-of-memory', { limit: settings.queryMemoryBytes }, { cause });
    case 'time-limit':
      return httpError('query-too-long', { seconds: settings.queryTimeout / 1000 }, { cause });
    case 'rows-limit':
      return httpError('query-too-large', { problem: `read more than ${settings.queryMaxRowsRead} rows` }, { cause });
    case 'result-limit':
      return httpError(
        'query-too-large',
        { problem: `give more than ${settings.queryMaxResultBytes} bytes` },
        { cause },
      );
    case 'too-complex':
      return httpError(
        'invalid-query',
        { problem: 'the query reads more fields or computes more values than one statement can have; name fewer' },
        { cause },
      );
    case 'cancelled':
      return httpError('query-cancelled', {}, { cause });
    case 'bad-value':
      return httpError('invalid-query', { problem: 'the query computes a value that cannot be computed' }, { cause });
    case 'disk-full':
      return httpError(fullDiskCode(error), {}, later);
    case 'unavailable':
    case 'overloaded':
      return httpError('storage-unavailable', {}, later);
    case 'corrupt':
      return httpError('files-damaged', {}, { cause });
    // The server wrote the statement: an error in it is an internal error.
    default:
      return undefined;
  }
}
