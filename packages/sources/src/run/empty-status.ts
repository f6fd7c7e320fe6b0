import type { StoredSourceStatus } from '@millrace/api/schemas/source';

/** The status of a source that has not run yet. */
export const emptyStatus: Omit<StoredSourceStatus, 'id'> = {
  state: 'running',
  events: 0,
  failedEvents: 0,
  rejectedMessages: 0,
  batches: 0,
  bytes: 0,
  rejects: [],
};
