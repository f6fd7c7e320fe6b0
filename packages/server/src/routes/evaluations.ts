import { Type } from 'typebox';
import { httpError } from '../errors.js';
import { empty, json, route, type Route } from '../http/route.js';
import { timestamp } from '../metadata/clock.js';
import { ChangeEvaluation, Evaluation, WriteEvaluation } from '../schemas/evaluation.js';
import { IdParameter, optional, Page } from '../schemas/parts.js';
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
 * Whoever may write the spans of a run may report it, and whoever may query them may read the
 * report.
 */
const mayWrite = { scope: 'dataset', resource: 'ingest', action: 'create' } as const;
const mayRead = { scope: 'dataset', resource: 'query', action: 'read' } as const;

/**
 * Runs of evaluations: the command `axiom eval` creates one when it begins and changes it when it
 * has ended.
 */
export function evaluationRoutes({ metadata: { evaluations }, clock }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path,
      operation: 'listEvaluations',
      tag,
      summary: 'List runs of evaluations',
      need: mayRead,
      request: {
        query: Type.Object({ ...Page, dataset: optional(Type.String({ description: 'Only those of this dataset.' })) }),
      },
      responses: {
        200: { description: 'Those of datasets that you may query, newest first.', schema: Type.Array(Evaluation) },
      },
      examples: [{ summary: 'Of one dataset', query: { dataset: run.dataset } }],
      handle: async ({ query: { limit = 100, offset = 0, dataset }, may }) => {
        const fits = (of: Evaluation): boolean =>
          (dataset === undefined || of.dataset === dataset) && may({ ...mayRead, name: of.dataset });
        return json(
          (await evaluations.list())
            .filter(fits)
            .toReversed()
            .slice(offset, offset + limit),
        );
      },
    }),
    route({
      method: 'POST',
      path,
      operation: 'createEvaluation',
      tag,
      summary: 'Report that a run of an evaluation has begun',
      description: 'One of the same id is replaced. Where there are too many, the oldest go.',
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
      summary: 'Get a run of an evaluation',
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
      summary: 'Report how a run of an evaluation went',
      description: 'What is left out stays as it is.',
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
      summary: 'Delete a run of an evaluation',
      description: 'Its spans stay in their dataset.',
      need: mayWrite,
      request: { params: IdParameter },
      responses: { 204: { description: 'It is gone.' } },
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
