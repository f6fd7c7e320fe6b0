import type { Logger } from 'pino';
import type { AuditSink } from '@millrace/http/recording/audit';
import { auditDataset } from '@millrace/metadata/dataset-names';
import type { Metadata } from '@millrace/metadata/metadata';
import { ingest, type IngestDependencies } from './ingest.js';

/**
 * Stores audit events in the audit dataset, as any other events. A lost audit event is logged and
 * fails no request.
 */
export function auditSink(deps: IngestDependencies, metadata: Metadata, logger: Logger): AuditSink {
  return (event) => {
    const record = metadata.datasets.find(auditDataset);
    const stored = record === undefined ? undefined : deps.storage.dataset(record.datasetId);
    if (stored === undefined) return;
    const dataset = { name: auditDataset, stored, mapFields: new Set<string>() };
    const body = Buffer.from(JSON.stringify(event));
    ingest({ dataset, body, formats: ['json'], options: { contentType: 'application/json' } }, deps).catch(
      (error: unknown) => logger.error({ err: error, event }, 'an audit event could not be stored'),
    );
  };
}
