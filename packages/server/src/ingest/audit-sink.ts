import type { Logger } from 'pino';
import type { AuditSink } from '../http/recording/audit.js';
import { auditDataset } from '../metadata/dataset-names.js';
import type { Metadata } from '../metadata/metadata.js';
import { ingest, type IngestDependencies } from './ingest.js';

/**
 * Stores audit events like all others, in a dataset of their own. If one is lost, that is logged
 * and fails no request.
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
