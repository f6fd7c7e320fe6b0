import { EngineError, type EngineErrorCode } from '@millrace/engine';
import { MetadataError } from '../../metadata/metadata-error.js';

/**
 * Whether an insert failed because of a batch in it. `batch`: it did, and the same insert would
 * fail again. `unclear`: perhaps; fewer batches together may succeed, and a batch that fails alone
 * while others go in, or at least a row in another table, is to blame. `engine`: the engine, or the
 * metadata, is to blame, and waiting is all that helps.
 */
type Blame = 'batch' | 'unclear' | 'engine';

const blames: Readonly<Record<EngineErrorCode, Blame>> = {
  'bad-value': 'batch',
  rejected: 'batch',
  'too-complex': 'batch',
  'unknown-column': 'batch',
  'memory-limit': 'unclear',
  corrupt: 'unclear',
  internal: 'unclear',
  'time-limit': 'engine',
  'rows-limit': 'engine',
  'result-limit': 'engine',
  cancelled: 'engine',
  unavailable: 'engine',
  overloaded: 'engine',
  'disk-full': 'engine',
  'unknown-table': 'engine',
};

/** Any other error comes from this program, when it prepares the blocks of the batches. */
export function blameOf(error: unknown): Blame {
  if (error instanceof MetadataError) return 'engine';
  return error instanceof EngineError ? blames[error.code] : 'unclear';
}
