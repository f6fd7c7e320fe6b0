import { EngineError, type EngineErrorCode } from '@millrace/engine';
import { MetadataError } from '@millrace/metadata/metadata-error';

/**
 * Whether an insert failed because of a batch in it. `batch`: it did, and the same insert would
 * fail again. `unclear`: perhaps; fewer batches together may succeed, and a batch that fails alone
 * while others, or at least a row in another table, are stored is the cause. `engine`: the engine
 * or the metadata failed, and only waiting helps.
 */
type FailureCause = 'batch' | 'unclear' | 'engine';

const blames: Readonly<Record<EngineErrorCode, FailureCause>> = {
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
export function classifyInsertError(error: unknown): FailureCause {
  if (error instanceof MetadataError) return 'engine';
  return error instanceof EngineError ? blames[error.code] : 'unclear';
}
