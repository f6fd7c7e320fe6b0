import { type Ast, type Compiled, parse } from '@millrace/apl';
import { formatRfc3339 } from '@millrace/times';
import { Type } from 'typebox';
import { httpError } from '../errors.js';
import { attempted } from '../query/attempts.js';
import { catalogueFor } from '../query/compile/catalogue.js';
import { AplBody, aplRequest, requireForwards } from '../query/compile/request.js';
import { queryError } from '../query/compile/query-error.js';
import { empty, json, route, type Call, type Route } from '../http/route.js';
import type { QueriedEvents } from '../storage/tables/delete-matching.js';
import type { Course } from '../query/run/jobs.js';
import { type QueryParts, type QueryService, requireTogether } from '../query/service.js';

/** What became of events, and deleting some of them: receipts, the recount, deletion by query. */

const Receipt = Type.Object({
  position: Type.String({ description: 'As `X-Millrace-Position` named it.' }),
  state: Type.Union([Type.Literal('logged'), Type.Literal('stored')], {
    description: '`logged`: on disk, in the log. `stored`: in the engine too.',
  }),
});

const Recount = Type.Object({
  batches: Type.Integer({ description: 'Batches in the log.' }),
  events: Type.Integer({ description: 'Their events.' }),
  skipped: Type.Integer({ description: 'Batches whose events were deleted on purpose, or whose dataset is gone.' }),
  wrong: Type.Array(
    Type.Object({ position: Type.String(), datasetId: Type.Integer(), events: Type.Integer(), rows: Type.Integer() }),
    { description: 'Batches the engine does not have exactly once; empty if all is well.' },
  ),
  refused: Type.Array(Type.String(), {
    description:
      'Positions of batches the engine refuses, which are not among the wrong ones. They are kept and tried again at each start; empty if all is well.',
  }),
  missing: Type.Array(
    Type.Object({
      datasetId: Type.Integer(),
      partition: Type.Integer({ description: '`20261120` for a day, `20261100` for a month, `20260000` for a year.' }),
      events: Type.Integer(),
      since: Type.String({ description: 'When it was noticed.' }),
    }),
    {
      description:
        'Events that were stored and are not there any more, though nobody deleted them: their files are damaged or gone. Empty if all is well.',
    },
  ),
  aside: Type.Array(Type.String(), {
    description:
      'Parts of tables that the engine could not use and has put aside. What the log still had of them is stored again.',
  }),
});

const DeleteBody = Type.Object({
  apl: Type.String({ description: 'A dataset followed by `where` and `search` only.' }),
  startTime: AplBody.properties.startTime,
  endTime: AplBody.properties.endTime,
  commit: Type.Optional(Type.Boolean({ description: 'Without it nothing is deleted, only counted.' })),
  variables: AplBody.properties.variables,
});

const DeleteResult = Type.Object({
  dryRun: Type.Boolean(),
  rowsMatched: Type.Integer(),
  rowsDeleted: Type.Integer(),
  firstMatchedEvent: Type.String(),
  lastMatchedEvent: Type.String(),
  blocksMatched: Type.Integer(),
});

export function durabilityRoutes(deps: QueryService): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/receipts/{position}',
      operation: 'getReceipt',
      tag: 'Ingest',
      summary: 'How far a batch of events has come',
      need: { scope: 'login' },
      request: { params: Type.Object({ position: Type.String() }) },
      responses: { 200: { description: 'Where the batch is.', schema: Receipt } },
      errors: ['not-found'],
      examples: [{ summary: 'A batch', params: { position: '42' }, answer: { position: '42', state: 'stored' } }],
      handle: async ({ params: { position } }) => {
        const state = /^\d{1,19}$/.test(position) ? await deps.storage.accounts.stateOf(BigInt(position)) : undefined;
        if (state === undefined) throw httpError('not-found', { kind: 'receipt', name: position });
        return json({ position, state });
      },
    }),
    route({
      method: 'POST',
      path: '/v1/verify',
      operation: 'verify',
      tag: 'Operations',
      summary: 'Recount the log against what is stored',
      description:
        'Runs while the server takes events and queries; compares every batch that is still in the log, and over several nodes what came in within ten minutes.',
      need: { scope: 'org', resource: 'auditLog', action: 'read' },
      request: {},
      responses: { 200: { description: 'What was found.', schema: Recount } },
      examples: [
        {
          summary: 'All is well',
          answer: { batches: 2, events: 10, skipped: 0, wrong: [], refused: [], missing: [], aside: [] },
        },
      ],
      handle: async () => json(await deps.storage.accounts.verify()),
    }),
    route({
      method: 'POST',
      path: '/v1/verify/accept',
      operation: 'acceptMissing',
      tag: 'Operations',
      summary: 'Do without the events that are missing',
      description: 'They are no longer reported. Bring back from a backup what you can before.',
      need: { scope: 'org', resource: 'datasets', action: 'delete' },
      request: {},
      responses: { 204: { description: 'Nothing is missing any more.' } },
      examples: [{ summary: 'After a disk was lost' }],
      handle: async () => {
        await deps.storage.accounts.inventory.accept();
        return empty();
      },
    }),
    route({
      method: 'POST',
      path: '/v2/datasets/_apl/delete',
      operation: 'deleteByQuery',
      tag: 'Datasets',
      summary: 'Delete the events a query matches',
      description:
        'Exactly the matching events go, and no query sees them any more when the request is answered. The right to query the dataset is not needed, ' +
        'though how many events match a condition tells what is in them; other datasets that a condition asks about have to be readable.',
      need: { scope: 'dataset', resource: 'data', action: 'delete' },
      request: { body: DeleteBody },
      responses: { 200: { description: 'What matched, and what was deleted.', schema: DeleteResult } },
      errors: ['invalid-query', 'dataset-not-found', 'too-many-queries', 'query-out-of-memory'],
      examples: [{ summary: 'How many would go', body: { apl: "['logs'] | where user == 'x'", commit: false } }],
      handle: async (call) => json(await deleteByQuery(call, deps)),
    }),
  ];
}

type DeleteCall = Call<{ readonly body: typeof DeleteBody }>;

/** Tokens take turns with their deletions as with their queries, each with one at a time. */
function deleteByQuery(call: DeleteCall, deps: QueryService) {
  const { commit = false, ...query } = call.body;
  return deps.jobs.run(call, { kind: 'apl', text: query.apl }, (course) =>
    attempted({
      prepare: () => preparedDeletion(query, call, deps),
      perform: (deletion) => performDeletion(deletion, commit, { call, course, deps }),
    }),
  );
}

/** The events that go. */
interface Deletion {
  readonly name: string;
  readonly compiled: Compiled & Pick<Required<Compiled>, 'rowId'>;
}

async function preparedDeletion(
  query: Omit<DeleteCall['body'], 'commit'>,
  call: DeleteCall,
  deps: QueryParts,
): Promise<Deletion> {
  const now = deps.arrivalClock();
  const request = aplRequest(query, {}, now);
  requireForwards(request);
  const name = deletableDataset(request.apl);
  const isDataset = deps.metadata.datasets.find(name) !== undefined;
  if (isDataset) call.require({ scope: 'dataset', name, resource: 'data', action: 'delete' });
  // Its events can be deleted without the right to read them.
  const catalogue = await catalogueFor(call, deps, name);
  if (!isDataset && catalogue.view?.(name) !== undefined)
    throw httpError('invalid-query', { problem: `'${name}' is a view; ${onlyFilters}` });
  if (!isDataset) throw httpError('dataset-not-found', { name });
  const options = {
    catalogue,
    now,
    range: request.range,
    variables: request.variables,
    defaultLimit: Number.MAX_SAFE_INTEGER,
    maxLimit: Number.MAX_SAFE_INTEGER,
    maxBinAutoGroups: 1,
    rowIds: true,
    output: 'native',
  } as const;
  const asker = { token: call.principal.kind === 'anonymous' ? '' : call.principal.tokenId, signal: call.abort.signal };
  const compiled = await deps.compilers.compile({ kind: 'text', text: request.apl }, options, asker);
  if (compiled.kind === 'failed') throw queryError(request.apl, compiled.diagnostics);
  if (compiled.kind !== 'compiled' || compiled.rowId === undefined)
    throw httpError('invalid-query', { problem: onlyFilters });
  return { name, compiled: { ...compiled, rowId: compiled.rowId } };
}

async function performDeletion(
  { name, compiled }: Deletion,
  commit: boolean,
  { call, course, deps }: { readonly call: DeleteCall; readonly course: Course; readonly deps: QueryParts },
) {
  // Also of the other datasets that the condition asks about: what was acknowledged before the
  // deletion counts.
  requireTogether(deps, compiled.datasets);
  const reads = compiled.datasets.flatMap((read) => deps.metadata.datasets.find(read)?.datasetId ?? []);
  await deps.storage.flush(reads);
  const inTurn: QueriedEvents['inTurn'] = (work) =>
    course.page(async (_, { statement, memoryBytes }) => {
      // It may have waited for long.
      await call.renew();
      call.require({ scope: 'dataset', name, resource: 'data', action: 'delete' });
      return statement(() => work(Math.min(deps.settings.queryMemoryBytes, memoryBytes)));
    });
  const events = { query: compiled.query, rowId: compiled.rowId, reads, inTurn };
  const matching = await deps.storage.deletions.matching(deps.metadata.datasets.get(name), events, commit);
  const time = (at: bigint | undefined): string => formatRfc3339(at ?? 0n);
  return {
    dryRun: !commit,
    rowsMatched: matching.rows,
    rowsDeleted: commit ? matching.rows : 0,
    firstMatchedEvent: time(matching.first),
    lastMatchedEvent: time(matching.last),
    blocksMatched: matching.rows === 0 ? 0 : 1,
  };
}

const onlyFilters = 'a deletion takes one dataset followed by where and search only';

/**
 * Name of the one dataset of a query that only filters. Anything else could delete more than its
 * author sees.
 */
function deletableDataset(apl: string): string {
  const { program, diagnostics } = parse(apl);
  if (diagnostics.some(({ severity }) => severity === 'error')) throw queryError(apl, diagnostics);
  const { query } = program;
  const filters: readonly Ast.Operator['kind'][] = ['where', 'search'];
  const simple = query?.source.kind === 'table' && query.operators.every(({ kind }) => filters.includes(kind));
  if (query?.source.kind !== 'table' || !simple || query.source.pattern.wildcard)
    throw httpError('invalid-query', { problem: onlyFilters });
  return query.source.pattern.text;
}
