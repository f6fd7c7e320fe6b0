import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import type { RequestContext, Route } from '@millrace/http/route';
import { optional, Timestamp } from '@millrace/api/schemas/parts';
import { Annotation, CreateAnnotation, UpdateAnnotation } from '@millrace/api/schemas/query-resources';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

const Filter = Type.Object({
  datasets: optional(Type.Array(Type.String(), { description: 'Only annotations of at least one of these datasets.' })),
  start: optional(Timestamp('Only annotations that end at or after this time.')),
  end: optional(Timestamp('Only annotations that start before this time.')),
});

export const annotationRoutes = ({ metadata: { annotations }, clock }: Deps): readonly Route[] =>
  collectionRoutes({
    tag: 'Annotations',
    path: '/v2/annotations',
    operations: { one: 'Annotation', many: 'Annotations' },
    nouns: { one: 'annotation', many: 'annotations' },
    schema: Annotation,
    need: (action) => ({ scope: 'org', resource: 'annotations', action }),
    id: 'ann_5f2b7c1e9a4d3b6c8e0f1a2b',
    list: {
      query: Filter,
      found: 'Matching annotations of datasets that you may query, oldest first.',
      example: { summary: 'About one dataset', query: { datasets: 'http-logs' } },
      handle: async ({ query: { datasets, start, end }, may }) => {
        const from = start === undefined ? Number.NEGATIVE_INFINITY : Date.parse(start);
        const to = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end);
        const fits = ({ datasets: about, time, endTime }: Annotation): boolean =>
          (datasets === undefined || datasets.some((name) => about.includes(name))) &&
          Date.parse(endTime ?? time) >= from &&
          Date.parse(time) < to &&
          about.every((name) => may({ scope: 'query', name }));
        return (await annotations.list()).filter(fits).map(annotationRecord);
      },
    },
    create: {
      body: CreateAnnotation,
      status: 201,
      example: {
        summary: 'A deployment',
        body: {
          datasets: ['http-logs'],
          type: 'deploy',
          title: 'Version 1.2',
          url: 'https://example.com/releases/1.2',
        },
      },
      handle: async ({ body }) => {
        // Rounded to the second: the precision of a request without a time.
        const annotation = { ...body, time: body.time ?? new Date(clock() - (clock() % 1000)).toISOString() };
        checkOrder(annotation);
        return annotationRecord(await annotations.create(annotation));
      },
    },
    get: {
      handle: async ({ params: { id }, may }) => {
        const found = await annotations.get(id);
        requireReadable(found, may);
        return annotationRecord(found);
      },
    },
    update: {
      summary: 'Change an annotation',
      description: 'Omitted properties do not change.',
      body: UpdateAnnotation,
      example: { summary: 'It is over', body: { endTime: '2026-11-20T10:05:00Z' } },
      handle: async ({ params: { id }, body, may }) => {
        const changed = await annotations.update(id, (present) => {
          requireReadable(present, may);
          const next = { ...present, ...body };
          checkOrder(next);
          return next;
        });
        return annotationRecord(changed);
      },
    },
    delete: { handle: ({ params: { id } }) => annotations.delete(id) },
  });

/**
 * An annotation of a monitor contains values of its datasets, so reading it requires query rights
 * on all of them.
 * @throws HttpError `not-found`
 */
function requireReadable({ id, datasets }: Annotation, may: RequestContext['may']): void {
  if (!datasets.every((name) => may({ scope: 'query', name })))
    throw httpError('not-found', { kind: 'annotation', name: id });
}

/**
 * Times as programs in Go write them, which read them back to compare: a fraction has no zeros at
 * its end, and is left out if it is all zeros.
 */
const annotationRecord = ({ endTime, ...annotation }: Annotation): Annotation => ({
  ...annotation,
  time: withoutZeros(annotation.time),
  ...(endTime !== undefined && { endTime: withoutZeros(endTime) }),
});
const withoutZeros = (time: string): string =>
  time.replace(/\.(\d*[1-9])?0*(?=Z|[+-])/, (_, kept?: string) => (kept === undefined ? '' : `.${kept}`));

function checkOrder({ time, endTime }: Pick<Annotation, 'time' | 'endTime'>): void {
  if (endTime !== undefined && Date.parse(endTime) < Date.parse(time)) {
    throw httpError('invalid-request', { problem: "body 'endTime' must not be before 'time'" });
  }
}
