import type { CompiledQuery } from '@millrace/apl';
import { printQuery } from '@millrace/sql';
import { Type } from 'typebox';
import { json, route, type RequestContext, type Route } from '@millrace/http/route';
import { withTitle } from '@millrace/api/schemas/parts';
import { inSystem, tableOf } from '@millrace/storage/tables/table-of-dataset';
import { watermarkHeader } from '../results/watermark-header.js';
import { retryOnChange } from '../retries.js';
import { textAt, valuesOf } from '../run/columns.js';
import { limitsOf } from '../run/plan-run.js';
import { prepare } from '../prepare.js';
import type { QueryExecution } from '../schedule/jobs.js';
import { queryErrors } from './query-errors.js';
import { AplBody, aplRequest } from '../compile/request.js';
import { requireTogether } from '../datasets-apart.js';
import { type QueryService, shownDatasets } from '../service.js';

/** Estimate the cost of a query, without running it. */

const Estimate = withTitle(
  'QueryEstimate',
  Type.Object({
    rows: Type.Integer({ description: 'Maximum events that the engine would read.' }),
    bytes: Type.Integer({
      description: 'Uncompressed bytes of these events with all fields; a query of few fields reads less.',
    }),
    datasets: Type.Array(
      Type.Object({ name: Type.String(), rows: Type.Integer(), bytes: Type.Integer(), parts: Type.Integer() }),
    ),
  }),
);

const request = { body: AplBody } as const;
type EstimateCall = RequestContext<typeof request>;

export function estimateRoutes(service: QueryService): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/query/estimate',
      operation: 'estimateQuery',
      tag: 'Query',
      summary: 'Estimate the cost of a query',
      description: 'Computed from indexes only: partitions and blocks outside the time range are not counted.',
      need: { scope: 'query' },
      request,
      responses: { 200: { description: 'The estimate.', schema: Estimate } },
      errors: queryErrors,
      examples: [
        { summary: 'The last hour', body: { apl: "['http-logs'] | count", startTime: 'now-1h', endTime: 'now' } },
      ],
      limitFamily: 'Query',
      exactIntegers: true,
      handle: (call: EstimateCall) => estimate(call, service),
    }),
  ];
}

const estimate = (call: EstimateCall, service: QueryService) =>
  service.jobs.run(call, { kind: 'apl', text: call.body.apl }, (execution) => {
    const now = service.arrivalClock();
    const request = aplRequest(call.body, {}, now);
    return retryOnChange({
      prepare: () => prepare(request, { call, execution, service, now, cached: true }),
      perform: (plan) => estimateCost(plan, call, execution, service),
    });
  });

async function estimateCost(
  compiled: CompiledQuery,
  call: EstimateCall,
  execution: QueryExecution,
  service: QueryService,
) {
  const { engine, storage, metadata, settings } = service;
  return execution.runInSlot(async (deadline, { memoryBytes }) => {
    const names = new Map(
      compiled.datasets.flatMap((name) => {
        const id = metadata.datasets.find(name)?.datasetId;
        return id === undefined ? [] : [[tableOf(id).table, { name, id }] as const];
      }),
    );
    requireTogether(service, compiled.datasets, 'an estimate');
    const ids = [...names.values()].map(({ id }) => id);
    await storage.flush(ids);
    const watermark = storage.reads.watermark(ids);
    const ask = async (sql: string): Promise<readonly (readonly string[])[]> => {
      const answer = await engine.query(sql, {
        format: 'JSONCompactColumns',
        signal: execution.signal,
        limits: limitsOf(settings, memoryBytes),
        deadline,
      });
      const columns = answer.columns.map(({ values }) => valuesOf(values, answer.rows));
      return Array.from({ length: answer.rows }, (_, row) => columns.map((column) => textAt(column, row)));
    };
    const planned = await ask(`EXPLAIN ESTIMATE ${printQuery(compiled.query)}`);
    const shownNames = new Set(shownDatasets(call, compiled));
    const datasets: { name: string; rows: number; bytes: number; parts: number }[] = [];
    for (const [, table = '""', parts, rows] of planned) {
      const dataset = names.get(JSON.parse(table) as string);
      if (dataset === undefined) continue;
      const bytes = Math.ceil(Number(rows) * (await bytesPerRow(ask, dataset.id)));
      datasets.push({ name: dataset.name, rows: Number(rows), bytes, parts: Number(parts) });
    }
    const sum = (of: 'rows' | 'bytes') => datasets.reduce((total, each) => total + each[of], 0);
    const shown = datasets.filter(({ name }) => shownNames.has(name));
    return json({ rows: sum('rows'), bytes: sum('bytes'), datasets: shown }, 200, watermarkHeader({ watermark }));
  });
}

async function bytesPerRow(ask: (sql: string) => Promise<readonly (readonly string[])[]>, id: number): Promise<number> {
  const [[perRow = '0'] = []] = await ask(
    'SELECT ifNotFinite(sum(data_uncompressed_bytes) / sum(rows), 0) FROM system.parts ' +
      `WHERE active AND ${inSystem(id)}`,
  );
  return Number(perRow);
}
