import type { ErrorCode } from '@millrace/api/errors';

/** Errors of every route that runs queries. */
export const queryErrors = [
  'invalid-query',
  'query-dataset-not-found',
  'wrong-dataset-kind',
  'invalid-cursor',
  'too-many-queries',
  'query-out-of-memory',
  'query-too-long',
  'query-waited-too-long',
  'query-too-large',
  'query-cancelled',
  'storage-unavailable',
] as const satisfies readonly ErrorCode[];
