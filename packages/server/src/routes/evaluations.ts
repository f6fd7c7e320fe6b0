import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { empty, json, route, type Route } from '@millrace/http/route';
import { timestamp } from '@millrace/metadata/clock';
import { ChangeEvaluation, Evaluation, WriteEvaluation } from '@millrace/api/schemas/evaluation';
import { IdParameter, optional, Page } from '@millrace/api/schemas/parts';
import type { Deps } from './deps.js';

const tag = 'Evaluations';
const path = '/api/v3/evaluations';
const params = { id: '4bf92f3577b34da6a3ce929d0e0e4736' };
const run = {
  id: params.id,
  name: 'summaries',
  dataset: 'http-logs',
  status: 'running',
  version: 'A1B2C3D4E5',
  totalCases: 12,
};

/**
 * Reporting a run requires the right to ingest into its dataset; reading the report requires the
 * right to query it.
 */
const mayWrite = { scope: 'dataset', resource: 'ingest', action: 'create' } as const;
const mayRead = { scope: 'dataset', resource: 'query', action: 'read' } as const;

/** Evaluation runs: the command `axiom eval` creates one at its start and updates it at its end. */
export function evaluationRoutes({ metadata: { evaluations }, clock }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path,
      operation: 'listEvaluations',
      tag,
      summary: 'List evaluation runs',
      need: mayRead,
      request: {
        query: Type.Object({ ...Page, dataset: optional(Type.String({ description: 'Only runs of this dataset.' })) }),
      },
      responses: {
        200: { description: 'Runs of datasets that you may query, newest first.', schema: Type.Array(Evaluation) },
      },
      examples: [{ summary: 'Of one dataset', query: { dataset: run.dataset } }],
      handle: async ({ query: { limit = 100, offset = 0, dataset }, may }) => {
        const fits = (of: Evaluation): boolean =>
          (dataset === undefined || of.dataset === dataset) && may({ ...mayRead, name: of.dataset });
        return json(await evaluations.page(fits, { limit, offset, order: 'desc' }));
      },
    }),
    route({
      method: 'POST',
      path,
      operation: 'createEvaluation',
      tag,
      summary: 'Start an evaluation run',
      description: 'Replaces a run with the same ID. Above the limit, the oldest runs are deleted.',
      need: mayWrite,
      request: { body: WriteEvaluation },
      responses: { 200: { description: 'The run.', schema: Evaluation } },
      errors: ['dataset-not-found', 'quota-reached'],
      examples: [{ summary: 'A run begins', body: run }],
      handle: async ({ body, require }) => {
        require({ ...mayWrite, name: body.dataset });
        const now = timestamp(clock);
        const made = await evaluations.write(body.id, (present) => {
          if (present !== undefined) require({ ...mayWrite, name: present.dataset });
          return { ...body, createdAt: present?.createdAt ?? now, updatedAt: now };
        });
        return json(made);
      },
    }),
    route({
      method: 'GET',
      path: `${path}/{id}`,
      operation: 'getEvaluation',
      tag,
      summary: 'Get an evaluation run',
      need: mayRead,
      request: { params: IdParameter },
      responses: { 200: { description: 'The run.', schema: Evaluation } },
      errors: ['not-found'],
      examples: [{ summary: 'One run', params }],
      handle: async ({ params: { id }, require }) => {
        const found = await evaluations.get(id);
        require({ ...mayRead, name: found.dataset });
        return json(found);
      },
    }),
    route({
      method: 'PATCH',
      path: `${path}/{id}`,
      operation: 'updateEvaluation',
      tag,
      summary: 'Update an evaluation run',
      description: 'Omitted properties do not change.',
      need: mayWrite,
      request: { params: IdParameter, body: ChangeEvaluation },
      responses: { 200: { description: 'The run as it is now.', schema: Evaluation } },
      errors: ['not-found', 'dataset-not-found', 'quota-reached'],
      examples: [
        {
          summary: 'It is over',
          params,
          body: { status: 'completed', successCases: 11, erroredCases: 1, durationMs: 5210 },
        },
      ],
      handle: async ({ params: { id }, body, require }) => {
        const changed = await evaluations.write(id, (present) => {
          if (present === undefined) throw httpError('not-found', { kind: 'evaluation', name: id });
          for (const name of [present.dataset, body.dataset ?? present.dataset]) require({ ...mayWrite, name });
          return { ...present, ...body, createdAt: present.createdAt, updatedAt: timestamp(clock) };
        });
        return json(changed);
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/{id}`,
      operation: 'deleteEvaluation',
      tag,
      summary: 'Delete an evaluation run',
      description: 'Its spans stay in their dataset.',
      need: mayWrite,
      request: { params: IdParameter },
      responses: { 204: { description: 'Deleted.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Delete', params }],
      handle: async ({ params: { id }, require }) => {
        require({ ...mayWrite, name: (await evaluations.get(id)).dataset });
        await evaluations.delete(id);
        return empty();
      },
    }),
  ];
}
