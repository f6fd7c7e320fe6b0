import { describePermission } from '@millrace/http/access/authorize';
import { httpError } from '@millrace/api/errors';
import type { DatasetRecord } from '@millrace/metadata/datasets';
import { findNearest } from '@millrace/apl';
import type { AgentContext } from './context.js';

/** Datasets that an agent may query. */

const readPermission = (name: string) => ({ scope: 'dataset', name, resource: 'query', action: 'read' }) as const;

export const readableDatasets = ({ call, service }: AgentContext): readonly DatasetRecord[] =>
  service.metadata.datasets.list().filter(({ name }) => call.may(readPermission(name)));

/** @throws HttpError `forbidden`, `query-dataset-not-found` with the findNearest name */
export function readableDataset(name: string, context: AgentContext): DatasetRecord {
  const record = context.service.metadata.datasets.find(name);
  if (record === undefined) {
    const meant = findNearest(
      name,
      readableDatasets(context).map((each) => each.name),
    );
    const problem = `dataset '${name}' does not exist${meant === undefined ? '' : `; did you mean '${meant}'?`}`;
    throw httpError('query-dataset-not-found', { problem });
  }
  if (!context.call.may(readPermission(name)))
    throw httpError('forbidden', { need: describePermission(readPermission(name)) });
  return record;
}
