import { Type } from 'typebox';
import { httpError } from '../errors.js';
import type { Route } from '../http/route.js';
import { optional, Timestamp } from '../schemas/parts.js';
import { Annotation, CreateAnnotation, UpdateAnnotation } from '../schemas/query-resources.js';
import { collectionRoutes } from './collection-routes.js';
import type { Deps } from './deps.js';

const Filter = Type.Object({
  datasets: optional(Type.Array(Type.String(), { description: 'Only those about one of these datasets.' })),
  start: optional(Timestamp('Only those that had not ended before this time.')),
  end: optional(Timestamp('Only those that begin before this time.')),
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
      found: 'Those that fit, oldest first.',
      example: { summary: 'About one dataset', query: { datasets: 'http-logs' } },
      handle: async ({ query: { datasets, start, end } }) => {
        const from = start === undefined ? Number.NEGATIVE_INFINITY : Date.parse(start);
        const to = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end);
        const fits = ({ datasets: about, time, endTime }: Annotation): boolean =>
          (datasets === undefined || datasets.some((name) => about.includes(name))) &&
          Date.parse(endTime ?? time) >= from &&
          Date.parse(time) < to;
        return (await annotations.list()).filter(fits).map(shown);
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
        // To the second: nobody marks a chart more exactly than that without saying when.
        const annotation = { ...body, time: body.time ?? new Date(clock() - (clock() % 1000)).toISOString() };
        checkOrder(annotation);
        return shown(await annotations.create(annotation));
      },
    },
    get: { handle: async ({ params: { id } }) => shown(await annotations.get(id)) },
    update: {
      summary: 'Change an annotation',
      description: 'What is left out stays as it is.',
      body: UpdateAnnotation,
      example: { summary: 'It is over', body: { endTime: '2026-11-20T10:05:00Z' } },
      handle: async ({ params: { id }, body }) => {
        const changed = await annotations.update(id, (present) => {
          const next = { ...present, ...body };
          checkOrder(next);
          return next;
        });
        return shown(changed);
      },
    },
    delete: { handle: ({ params: { id } }) => annotations.delete(id) },
  });

/**
 * Times as programs in Go write them, which read them back to compare: a fraction has no zeros at
 * its end, and is left out if it is all zeros.
 */
const shown = ({ endTime, ...annotation }: Annotation): Annotation => ({
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
