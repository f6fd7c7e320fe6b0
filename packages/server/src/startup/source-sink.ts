import { HttpError, httpError } from '@millrace/api/errors';
import type { StoredSource } from '@millrace/api/schemas/source';
import { isAllowed, describePermission } from '@millrace/http/access/authorize';
import { capabilitiesOf } from '@millrace/http/access/permissions';
import { requireRoom } from '@millrace/ingest/assert-capacity';
import { ingest } from '@millrace/ingest/ingest';
import type { IngestRouteDependencies } from '@millrace/ingest/routes';
import type { Metadata } from '@millrace/metadata/metadata';
import { RejectedBatch, type Sink, type StoredBatch } from '@millrace/sources/run/batch';

/** Stores batches of sources as if the user who wrote a source had sent them. */
export const sourceSinks =
  (deps: IngestRouteDependencies, metadata: Metadata) =>
  (source: StoredSource): Sink => {
    const { id, dataset, rejectedDataset = dataset, writtenBy } = source;
    const party = `source ${id}`;
    return async ({ key, body, content, isRejected }, signal) => {
      const name = isRejected === true ? rejectedDataset : dataset;
      await requireIngest(name, writtenBy, metadata);
      const { format, ...options } = content;
      const target = await deps.targets.find(name, format === 'otlp-metrics' ? 'otel:metrics:v1' : undefined);
      if (target === undefined) throw httpError('ingest-dataset-not-found', { name });
      requireRoom({ party, all: 0, own: 0 }, deps);
      try {
        const sender = { token: party, signal };
        const request = { dataset: target, body, formats: [format], options, sender, idempotencyKey: key };
        const reply = await ingest(request, deps);
        deps.answered(reply);
        const { ingested, failed, failures } = reply.status;
        return { ingested, failed, failures: failures.slice(0, failuresShown).map(({ error }) => error) };
      } catch (error) {
        return outcomeOf(error);
      }
    };
  };

const failuresShown = 3;

/** Outcome of a batch that was not stored now. */
function outcomeOf(error: unknown): StoredBatch {
  if (!(error instanceof HttpError)) throw error;
  // The position was stored before. Compaction of a topic, or another version of Millrace, may have
  // changed how it reads.
  if (error.code === 'key-reused') return { ingested: 0, failed: 0, failures: [] };
  if (faultsOfBody.has(error.code)) throw new RejectedBatch(error.message, { cause: error });
  throw error;
}

/** Errors that another attempt would end in, too. */
const faultsOfBody: ReadonlySet<string> = new Set([
  'invalid-events',
  'invalid-json',
  'invalid-request',
  'events-too-large',
  'body-too-large',
  'unsupported-encoding',
  'unsupported-content-type',
]);

/** @throws HttpError `forbidden` if the user has lost the right */
async function requireIngest(name: string, userId: string, metadata: Metadata): Promise<void> {
  const need = { scope: 'dataset', name, resource: 'ingest', action: 'create' } as const;
  const user = await metadata.users.find(userId);
  const capabilities = user === undefined ? [] : await capabilitiesOf(user, metadata);
  const principal = { kind: 'personal-token', tokenId: '', tokenName: '', userId, capabilities } as const;
  if (!isAllowed(principal, need)) throw httpError('forbidden', { need: describePermission(need) });
}
