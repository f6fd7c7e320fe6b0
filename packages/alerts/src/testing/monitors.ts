import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { plainMonitor } from '../monitor.js';

/** A stored monitor with some properties replaced. */
export const storedMonitor = (changes: Partial<StoredMonitor> = {}): StoredMonitor => ({
  id: 'mon_1',
  name: 'm',
  type: 'Threshold',
  aplQuery: 'logs | count',
  language: 'apl',
  operator: 'Above',
  ...plainMonitor,
  threshold: 10,
  rangeMinutes: 5,
  notifierIds: [],
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: 'usr_1',
  updatedAt: '2026-11-20T10:00:00.000Z',
  reads: { all: true, audit: false, datasets: [], views: [] },
  from: '0',
  ...changes,
});
