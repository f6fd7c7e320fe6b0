import { httpError } from '@millrace/api/errors';
import type { DatasetRecord } from '@millrace/metadata/datasets';
import { nameText } from '../apl-text.js';
import type { AgentContext } from '../context.js';
import { readableDataset, readableDatasets } from '../readable.js';

/** Datasets with spans, and how their fields read in APL. */

interface SpanSource {
  readonly dataset: string;
  /** The service of a span. */
  readonly service: string;
  /** Condition for a failed span. */
  readonly failed: string;
  /** Condition for a span that handles a request, by which services are measured. */
  readonly request: string;
  /** Columns for a tree of spans, some of which may be absent. */
  readonly has: (field: string) => boolean;
}

/**
 * The dataset with spans: the named one, or else the only one that the agent may query.
 * @throws HttpError `query-dataset-not-found`, `forbidden`, `invalid-request`
 */
export function spanSource(name: string | undefined, context: AgentContext): SpanSource {
  if (name !== undefined) return sourceOf(readableDataset(name, context), context);
  const found = readableDatasets(context).filter((record) => {
    const fields = context.service.storage.fields(record);
    return spanFields.every((field) => fields.typeOf(field) !== undefined);
  });
  const [one, ...others] = found;
  if (one === undefined)
    throw httpError('invalid-request', { problem: 'the token may query no dataset with spans; name one as dataset' });
  if (others.length > 0)
    throw httpError('invalid-request', {
      problem: `several datasets have spans; name one as dataset: ${found.map((record) => record.name).join(', ')}`,
    });
  return sourceOf(one, context);
}

const spanFields = ['trace_id', 'span_id', 'duration'] as const;

function sourceOf(record: DatasetRecord, { service: { storage } }: AgentContext): SpanSource {
  const fields = storage.fields(record);
  const has = (field: string): boolean => fields.typeOf(field) !== undefined;
  const services = ['service.name', 'service'].filter(has).map(nameText);
  const failures = [
    ...(has('error') ? ['error == true'] : []),
    ...(has('status.code') ? ["['status.code'] =~ 'error'"] : []),
  ];
  const root = has('parent_span_id') ? 'isempty(parent_span_id)' : 'true';
  return {
    dataset: record.name,
    service: services.length > 1 ? `coalesce(${services.join(', ')})` : `tostring(${services[0] ?? "''"})`,
    failed: failures.length === 0 ? 'false' : failures.join(' or '),
    request: has('kind') ? `(kind in ('server', 'consumer') or ${root})` : root,
    has,
  };
}
