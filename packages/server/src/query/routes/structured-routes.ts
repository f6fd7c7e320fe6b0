import { Type } from 'typebox';
import { writeJson } from '../../http/json-body.js';
import { route, type Answer, type Call, type Route } from '../../http/route.js';
import { againIfGone } from '../again-if-gone.js';
import { answerJob } from '../answers/answer-bytes.js';
import { movedOn } from '../apl.js';
import { compileStructure, type CompiledStructure } from '../compile/compile.js';
import { httpError } from '../../errors.js';
import type { QueryOutcome } from '../run/execute.js';
import { contextFor } from '../compile/context.js';
import { fieldsMetaMapOf } from '../answers/fields-meta.js';
import { StructuredAnswer } from '../../schemas/query-answers.js';
import { historyHeader } from './history-routes.js';
import type { Course } from '../run/jobs.js';
import { settledHeader } from '../answers/settled.js';
import type { Buckets } from '../answers/buckets.js';
import { legacyAnswer } from '../answers/legacy.js';
import { holdOf, untilFound } from '../long-poll.js';
import { queryErrors } from './query-errors.js';
import { arrivedBy, askedOf, asOfIn, type Asked } from '../compile/request.js';
import { type QueryService, runCompiled, shownDatasets, versionOf } from '../service.js';
import { type Message, seriesMessages, statusOf, timeMessages } from '../answers/status.js';
import { StructuredBody, StructuredQuery } from '../structured/body.js';

/** Structured queries: a body of filters, aggregations and groups instead of text. */

const params = Type.Object({ name: Type.String({ minLength: 1, description: 'Name of the dataset or view.' }) });
const request = { params, query: StructuredQuery, body: StructuredBody } as const;
type StructuredCall = Call<typeof request>;

export function structuredRoutes(service: QueryService): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/datasets/{name}/query',
      operation: 'queryDataset',
      tag: 'Query',
      summary: 'Run a structured query',
      description:
        'Translated into APL and answered in the legacy format. Filters: `and` `or` `not` with children; `==` `!=` `>` `>=` `<` `<=` (or `eq` `ne` ' +
        '`gt` `gte` `lt` `lte`), `exists` `contains` `starts-with` `ends-with` `has` `regexp`, and the last six with `not-` in front. With ' +
        '`caseSensitive: false` text is compared without case; equality is exact unless that is said.',
      need: { scope: 'query', param: 'name' },
      request,
      responses: { 200: { description: 'The result.', schema: StructuredAnswer } },
      errors: ['dataset-not-found', ...queryErrors],
      examples: [
        {
          summary: 'Errors by path',
          params: { name: 'http-logs' },
          body: {
            startTime: 'now-1h',
            endTime: 'now',
            resolution: 'auto',
            aggregations: [{ op: 'count', field: '*', alias: 'requests' }],
            groupBy: ['path'],
            filter: { op: '>=', field: 'status', value: 500 },
          },
        },
      ],
      limitFamily: 'Query',
      exactIntegers: true,
      handle: (call: StructuredCall) => answerStructure(call, service),
    }),
  ];
}

/** What was found. For an aggregation, the outcome has a row per group, and the buckets also one per bucket and group. */
interface Found {
  readonly outcome: QueryOutcome;
  readonly buckets?: Buckets;
  readonly messages?: readonly Message[];
}

async function answerStructure(call: StructuredCall, service: QueryService): Promise<Answer> {
  const started = performance.now();
  const { params, body } = call;
  const { name } = params;
  await requireSource(call, name, service);
  return answerJob(service.jobs, call, { kind: 'structured', text: writeJson(body) }, async (course) => {
    const headers = { ...service.jobs.headers(call), ...historyHeader(call, name, service) };
    const now = service.clock();
    const asked = askedOf({ ...body, cursor: (body.cursor ?? '') === '' ? body.continuationToken : body.cursor }, now);
    const {
      outcome,
      buckets,
      messages = [],
    } = await againIfGone(() => findHeld(call, { asked, now }, course, service));
    const status = statusOf(outcome, {
      elapsedMicroseconds: Math.round((performance.now() - started) * 1000),
      cursor: asked.cursor?.text,
      messages: [...timeMessages(asked, outcome.compiled), ...messages],
    });
    // For a view, the fields of the datasets it reads, as far as the caller may know about these.
    const meta = await fieldsMetaMapOf(outcome.table.output, shownDatasets(call, outcome.compiled), service);
    const fieldsMeta = Object.values(meta).flat();
    const pieces = legacyAnswer({ status, fieldsMeta }, outcome, buckets);
    return { pieces, mediaType: 'application/json; charset=utf-8', headers: { ...headers, ...settledHeader(outcome) } };
  });
}

/**
 * The check of the route admits whoever may query either a dataset or a view of this name; here it is known which of the two it is.
 * @throws HttpError `forbidden`, `dataset-not-found`
 */
async function requireSource(call: Pick<Call, 'require'>, name: string, { metadata }: QueryService): Promise<void> {
  const isDataset = metadata.datasets.find(name) !== undefined;
  if (!isDataset && !(await metadata.views.list()).some((view) => view.name === name))
    throw httpError('dataset-not-found', { name });
  call.require({ scope: isDataset ? 'dataset' : 'view', name, resource: 'query', action: 'read' });
}

async function findHeld(
  call: StructuredCall,
  { asked, now }: { readonly asked: Asked; readonly now: bigint },
  course: Course,
  service: QueryService,
): Promise<Found> {
  const { params, query, body } = call;
  const cached = query.nocache !== true;
  const compiled = async (as: Asked, impliedEnd: bigint): Promise<CompiledStructure> => {
    const context = await contextFor(call, course, service, { now, cached });
    return compileStructure({ dataset: params.name, body, asked: as }, { ...context, impliedEnd });
  };
  const hold = holdOf(query['streaming-duration']);
  const first = await compiled(asked, now);
  return untilFound(
    {
      run: async () => {
        const time = service.clock();
        // Compiled for each attempt of a held request, as in `apl.ts`.
        if (hold > 0) course.anew();
        const structure = hold > 0 ? await compiled(movedOn(asked, now, time), time) : first;
        return course.turn(async (deadline) => {
          await call.renew();
          const options = { cached, signal: course.signal, deadline, ...arrivedBy(asOfIn(body)) };
          return find(structure, asked, options, service);
        });
      },
      isEmpty: ({ outcome, buckets }) => buckets === undefined && outcome.table.rows === 0,
      still: () => call.renew(),
      version: () => versionOf(service, first.kind === 'events' ? first.compiled : first.totals),
    },
    hold,
    course.signal,
  );
}

async function find(
  structure: CompiledStructure,
  { cursor }: Asked,
  options: Parameters<typeof runCompiled>[1],
  service: QueryService,
): Promise<Found> {
  if (structure.kind === 'events') {
    return { outcome: await runCompiled(structure.compiled, { ...options, cursor: cursor?.place.time }, service) };
  }
  const { tree, totals, series } = structure;
  const [outcome, found] = await Promise.all([
    runCompiled(totals, options, service),
    runCompiled(series, { ...options, count: false }, service),
  ]);
  const bucket = series.presentation.bucket;
  // Each is whole up to its own position, and the answer up to the earlier one.
  const settled = outcome.settled < found.settled ? outcome.settled : found.settled;
  return {
    outcome: { ...outcome, settled },
    messages: seriesMessages(found),
    buckets: {
      groups: tree.groups,
      aggregates: tree.aggregates,
      totals: outcome.table,
      ...(bucket !== undefined && { series: { table: found.table, time: bucket.field, size: bucket.size } }),
    },
  };
}
