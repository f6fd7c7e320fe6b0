import { Type } from 'typebox';
import { httpError } from '../errors.js';
import { timestamp } from '../metadata/clock.js';
import { IdParameter, optional, Timestamp } from '../schemas/parts.js';
import { Annotation, CreateAnnotation, UpdateAnnotation } from '../schemas/query-resources.js';
import type { Deps } from './deps.js';
import { empty, json, route, type Route } from '../http/route.js';

const tag = 'Annotations';
const params = { id: 'ann_5f2b7c1e9a4d3b6c8e0f1a2b' };
const example = {
  datasets: ['http-logs'],
  type: 'deploy',
  title: 'Version 1.2',
  url: 'https://example.com/releases/1.2',
};

const Filter = Type.Object({
  datasets: optional(Type.Array(Type.String(), { description: 'Only those about one of these datasets.' })),
  start: optional(Timestamp('Only those that had not ended before this time.')),
  end: optional(Timestamp('Only those that begin before this time.')),
});

export function annotationRoutes({ metadata: { annotations }, clock }: Deps): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v2/annotations',
      operation: 'listAnnotations',
      tag,
      summary: 'List annotations',
      need: { scope: 'org', resource: 'annotations', action: 'read' },
      request: { query: Filter },
      responses: { 200: { description: 'Those that fit, oldest first.', schema: Type.Array(Annotation) } },
      examples: [{ summary: 'About one dataset', query: { datasets: 'http-logs' } }],
      handle: async ({ query: { datasets, start, end } }) => {
        const from = start === undefined ? Number.NEGATIVE_INFINITY : Date.parse(start);
        const to = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end);
        const fits = ({ datasets: about, time, endTime }: Annotation): boolean =>
          (datasets === undefined || datasets.some((name) => about.includes(name))) &&
          Date.parse(endTime ?? time) >= from &&
          Date.parse(time) < to;
        return json((await annotations.list()).filter(fits));
      },
    }),
    route({
      method: 'POST',
      path: '/v2/annotations',
      operation: 'createAnnotation',
      tag,
      summary: 'Create an annotation',
      need: { scope: 'org', resource: 'annotations', action: 'create' },
      request: { body: CreateAnnotation },
      responses: { 201: { description: 'The new annotation.', schema: Annotation } },
      examples: [{ summary: 'A deployment', body: example }],
      handle: async ({ body }) => {
        const annotation = { ...body, time: body.time ?? timestamp(clock) };
        checkOrder(annotation);
        return json(await annotations.create(annotation), 201);
      },
    }),
    route({
      method: 'GET',
      path: '/v2/annotations/{id}',
      operation: 'getAnnotation',
      tag,
      summary: 'Get an annotation',
      need: { scope: 'org', resource: 'annotations', action: 'read' },
      request: { params: IdParameter },
      responses: { 200: { description: 'The annotation.', schema: Annotation } },
      errors: ['not-found'],
      examples: [{ summary: 'One annotation', params }],
      handle: async ({ params: { id } }) => json(await annotations.get(id)),
    }),
    route({
      method: 'PUT',
      path: '/v2/annotations/{id}',
      operation: 'updateAnnotation',
      tag,
      summary: 'Change an annotation',
      description: 'What is left out stays as it is.',
      need: { scope: 'org', resource: 'annotations', action: 'update' },
      request: { params: IdParameter, body: UpdateAnnotation },
      responses: { 200: { description: 'The annotation as it is now.', schema: Annotation } },
      errors: ['not-found'],
      examples: [{ summary: 'It is over', params, body: { endTime: '2026-11-20T10:05:00Z' } }],
      handle: async ({ params: { id }, body }) => {
        const changed = await annotations.update(id, (present) => {
          const next = { ...present, ...body };
          checkOrder(next);
          return next;
        });
        return json(changed);
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/annotations/{id}',
      operation: 'deleteAnnotation',
      tag,
      summary: 'Delete an annotation',
      need: { scope: 'org', resource: 'annotations', action: 'delete' },
      request: { params: IdParameter },
      responses: { 204: { description: 'It is gone.' } },
      errors: ['not-found'],
      examples: [{ summary: 'Delete', params }],
      handle: async ({ params: { id } }) => {
        await annotations.delete(id);
        return empty();
      },
    }),
  ];
}

function checkOrder({ time, endTime }: Pick<Annotation, 'time' | 'endTime'>): void {
  if (endTime !== undefined && Date.parse(endTime) < Date.parse(time)) {
    throw httpError('invalid-request', { problem: "body 'endTime' must not be before 'time'" });
  }
}
