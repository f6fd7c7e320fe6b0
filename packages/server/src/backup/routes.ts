import { type Ast, type CompiledQuery, parse } from '@millrace/apl';
import { formatRfc3339 } from '@millrace/timestamps';
import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { retryOnChange } from '@millrace/query/retries';
import { catalogFor } from '@millrace/query/compile/catalog';
import { AplBody, aplRequest, requireForwards } from '@millrace/query/compile/request';
import { queryError } from '@millrace/query/compile/query-error';
import { empty, json, route, type RequestContext, type Route } from '@millrace/http/route';
import type { QueriedEvents } from '@millrace/storage/tables/delete-matching';
import type { QueryExecution } from '@millrace/query/schedule/jobs';
import { requireTogether } from '@millrace/query/datasets-apart';
import type { QueryParts, QueryService } from '@millrace/query/service';

/** Routes for receipts, verification and deletion by query. */

const Receipt = Type.Object({
  position: Type.String({ description: 'Position from `X-Millrace-Position`.' }),
  state: Type.Union([Type.Literal('logged'), Type.Literal('stored')], {
    description: '`logged`: durable in the log. `stored`: also in the engine.',
  }),
});

const datasetName = Type.Optional(Type.String({ description: 'Name of the dataset, unless it was deleted.' }));

const Recount = Type.Object({
  batches: Type.Integer({ description: 'Batches in the log.' }),
  events: Type.Integer({ description: 'Events of these batches.' }),
  skipped: Type.Integer({ description: 'Batches whose events or dataset were deleted on purpose.' }),
  wrong: Type.Array(
    Type.Object({
      position: Type.String(),
      datasetId: Type.Integer(),
      dataset: datasetName,
      events: Type.Integer(),
      rows: Type.Integer(),
    }),
    { description: 'Batches that are missing, incomplete or duplicated in the engine; empty if there are none.' },
  ),
  refused: Type.Array(Type.String(), {
    description:
      'Positions of quarantined batches, which the engine rejects. They are not in `wrong`, and are retried at each start. Empty if there are none.',
  }),
  missing: Type.Array(
    Type.Object({
      datasetId: Type.Integer({ description: '0 for files of the log.' }),
      dataset: datasetName,
      partition: Type.Integer({ description: '`20261120` for a day, `20261100` for a month, `20260000` for a year.' }),
      events: Type.Integer(),
      since: Type.String({ description: 'When it was detected.' }),
    }),
    {
      description: 'Stored events that are lost: their files are damaged or missing. Empty if there are none.',
    },
  ),
  aside: Type.Array(Type.String(), {
    description:
      'Detached table parts, which the engine could not use. Their events that were still in the log were stored again.',
  }),
  damaged: Type.Array(
    Type.Object({ datasetId: Type.Integer(), dataset: datasetName, part: Type.String(), reason: Type.String() }),
    {
      description: 'Table parts whose files are damaged: queries that read them answer 503. Empty if there are none.',
    },
  ),
});

const DeleteBody = Type.Object({
  apl: Type.String({ description: 'A dataset followed by `where` and `search` only.' }),
  startTime: AplBody.properties.startTime,
  endTime: AplBody.properties.endTime,
  commit: Type.Optional(Type.Boolean({ description: 'Delete the events. Default: only count them.' })),
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
      summary: 'Get the status of a batch',
      need: { scope: 'login' },
      request: { params: Type.Object({ position: Type.String() }) },
      responses: { 200: { description: 'State of the batch.', schema: Receipt } },
      errors: ['not-found'],
      examples: [{ summary: 'A batch', params: { position: '42' }, answer: { position: '42', state: 'stored' } }],
      handle: async ({ params: { position } }) => {
        const state = /^\d{1,19}$/.test(position) ? await deps.storage.ledger.stateOf(BigInt(position)) : undefined;
        if (state === undefined) throw httpError('not-found', { kind: 'receipt', name: position });
        return json({ position, state });
      },
    }),
    route({
      method: 'POST',
      path: '/v1/verify',
      operation: 'verify',
      tag: 'Operations',
      summary: 'Verify stored batches',
      description:
        'Runs without interrupting ingest and queries. Compares every batch that is still in the log; with several nodes, the batches of the last ten minutes. Files are checked for datasets with failed queries, and for all with `files`.',
      need: { scope: 'org', resource: 'auditLog', action: 'read' },
      request: {
        query: Type.Object({
          files: Type.Optional(
            Type.Boolean({ description: 'Read the local files of all datasets and compare their checksums.' }),
          ),
        }),
      },
      responses: { 200: { description: 'Result of the verification.', schema: Recount } },
      examples: [
        {
          summary: 'All is well',
          answer: { batches: 2, events: 10, skipped: 0, wrong: [], refused: [], missing: [], aside: [], damaged: [] },
        },
      ],
      handle: async ({ query: { files } }) => {
        const recount = await deps.storage.ledger.verify(files);
        const names = new Map(deps.metadata.datasets.list().map(({ datasetId, name }) => [datasetId, name]));
        const withName = <Row extends { readonly datasetId: number }>(
          row: Row,
        ): Row & { readonly dataset?: string } => {
          const dataset = names.get(row.datasetId);
          return dataset === undefined ? row : { ...row, dataset };
        };
        const { wrong, missing, damaged } = recount;
        return json({
          ...recount,
          wrong: wrong.map(withName),
          missing: missing.map(withName),
          damaged: damaged.map(withName),
        });
      },
    }),
    route({
      method: 'POST',
      path: '/v1/verify/accept',
      operation: 'acceptMissing',
      tag: 'Operations',
      summary: 'Acknowledge missing events',
      description: 'They are no longer reported. Before that, restore what you can from a backup.',
      need: { scope: 'org', resource: 'datasets', action: 'delete' },
      request: {},
      responses: { 204: { description: 'Missing events acknowledged.' } },
      examples: [{ summary: 'After a disk was lost' }],
      handle: async () => {
        await deps.storage.ledger.inventory.accept();
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
        'Deletes exactly the matching events. Once the request succeeds, no query returns them any more. The right to query the dataset is not required, ' +
        'although the number of matches reveals information about events. Other datasets used in the condition must be readable.',
      need: { scope: 'dataset', resource: 'data', action: 'delete' },
      request: { body: DeleteBody },
      responses: { 200: { description: 'Numbers of matching and deleted events.', schema: DeleteResult } },
      errors: ['invalid-query', 'dataset-not-found', 'too-many-queries', 'query-out-of-memory'],
      examples: [{ summary: 'How many would go', body: { apl: "['logs'] | where user == 'x'", commit: false } }],
      handle: async (call) => json(await deleteByQuery(call, deps)),
    }),
  ];
}

type DeleteCall = RequestContext<{ readonly body: typeof DeleteBody }>;

/** Deletions go through the fair queue like queries, one at a time per token. */
function deleteByQuery(call: DeleteCall, deps: QueryService) {
  const { commit = false, ...query } = call.body;
  return deps.jobs.run(call, { kind: 'apl', text: query.apl }, (execution) =>
    retryOnChange({
      prepare: () => preparedDeletion(query, call, deps),
      perform: (deletion) => performDeletion(deletion, commit, { call, execution, deps }),
    }),
  );
}

/** The events that go. */
interface Deletion {
  readonly name: string;
  readonly compiled: CompiledQuery & Pick<Required<CompiledQuery>, 'rowId'>;
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
  // Deleting its events does not require the right to read them.
  const catalog = await catalogFor(call, deps, name);
  if (!isDataset && catalog.view?.(name) !== undefined)
    throw httpError('invalid-query', { problem: `'${name}' is a view; ${onlyFilters}` });
  if (!isDataset) throw httpError('dataset-not-found', { name });
  const options = {
    catalog,
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
  {
    call,
    execution,
    deps,
  }: { readonly call: DeleteCall; readonly execution: QueryExecution; readonly deps: QueryParts },
) {
  // Also flushes the other datasets in the condition: everything acknowledged before the deletion
  // counts.
  requireTogether(deps, compiled.datasets, 'a deletion');
  const reads = compiled.datasets.flatMap((read) => deps.metadata.datasets.find(read)?.datasetId ?? []);
  await deps.storage.flush(reads);
  const inTurn: QueriedEvents['inTurn'] = (work) =>
    execution.runPage(async (_, { statement, memoryBytes }) => {
      // It may have been queued for long.
      await call.renew();
      call.require({ scope: 'dataset', name, resource: 'data', action: 'delete' });
      return statement(() => work(Math.min(deps.settings.queryMemoryBytes, memoryBytes)));
    });
  const events = { query: compiled.query, rowId: compiled.rowId, reads, inTurn };
  const matching = await deps.storage.deletions.countMatching(deps.metadata.datasets.get(name), events, commit);
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
