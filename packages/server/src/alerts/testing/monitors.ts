import type { StoredMonitor } from '../../schemas/monitor.js';
import { plainMonitor } from '../monitor.js';

/** A monitor as it is kept, with some of it replaced. */
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
