import {
  BoundExceeded,
  compile,
  ComputeProblem,
  ExtendProblem,
  type Frame,
  type Grid,
  type Plan,
  run,
} from '@millrace/mpl';
import { httpError } from '@millrace/api/errors';
import { isMetrics } from '@millrace/api/schemas/dataset';
import { describePermission, type RequiredPermission } from '@millrace/http/access/authorize';
import { resolveDatasetName } from '@millrace/metadata/dataset-names';
import type { DatasetRecord } from '@millrace/metadata/datasets';
import { tableOf } from '@millrace/storage/tables/table-of-dataset';
import type { QueryRunContext } from '../context.js';
import { retryOnChange } from '../retries.js';
import { flushBeforeRead } from '../run/flush-before-read.js';
import { PlanRun } from '../run/plan-run.js';
import { orAborted } from '../schedule/query-time.js';
import type { QueryService } from '../service.js';
import { boundedWork, translateErrors } from './bounded-work.js';
import { mplError } from './mpl-error.js';
import { SeriesReader, unitOf } from './read-series.js';
import type { StoredMetrics } from './stored-series.js';
import type { MplRequest } from './request.js';

/** A query in MPL, from its text to series. */

export interface MplOutcome {
  readonly plan: Plan;
  readonly frame: Frame & { readonly grid: Grid };
  /** Unit of the metrics; empty if unknown or mixed. */
  readonly unit: string;
  /** Whether recent data is missing. */
  readonly partial: boolean;
  readonly warnings: readonly string[];
}

/** How stored series are read. */
interface ReadOptions {
  readonly priority?: 'low' | 'normal';
  /** How long a read may take, milliseconds; by default as long as the query has left. */
  readonly timeout?: number;
  /** Everything up to this position is seen; by default everything acknowledged. */
  readonly upTo?: bigint;
}

/**
 * Compiles and runs a query over everything acknowledged before it.
 * @throws HttpError, EngineError
 */
export function runMpl(request: MplRequest, context: QueryRunContext, how: ReadOptions = {}): Promise<MplOutcome> {
  const { text, ...options } = request;
  const now = Number(context.now / 1_000_000n);
  return retryOnChange({
    prepare: async () => {
      const compiled = compile(text, { now, ...options });
      if (compiled.kind === 'failed') throw mplError(text, compiled.diagnostics);
      const warnings = compiled.diagnostics.map(({ message }) => message);
      return { plan: compiled.plan, warnings, record: metricsDataset(compiled.plan.dataset, context) };
    },
    perform: async ({ plan, warnings, record }) => {
      const { frame, unit, partial } = await withBounds(() => runPlan(plan, record, context, how));
      const missing = partial ? ['recent data is missing: the server cannot store it at the moment'] : [];
      return { plan, frame, unit, partial, warnings: [...warnings, ...missing] };
    },
  });
}

/**
 * The dataset of a query of metrics.
 * @throws HttpError `dataset-not-found`, `forbidden`, `wrong-dataset-kind`
 */
export function metricsDataset(
  givenName: string,
  { call, service }: Pick<QueryRunContext, 'call'> & { readonly service: Pick<QueryService, 'metadata'> },
): DatasetRecord {
  const name = resolveDatasetName(givenName);
  const record = service.metadata.datasets.get(name);
  const need = { scope: 'dataset', name, resource: 'query', action: 'read' } as const satisfies RequiredPermission;
  if (!call.may(need)) throw httpError('forbidden', { need: describePermission(need) });
  if (!isMetrics(record.kind))
    throw httpError('wrong-dataset-kind', {
      name,
      kind: record.kind,
      stored: 'events',
      sent: 'metrics',
      remedy: 'query it in APL with POST /v1/query/_apl',
    });
  return record;
}

async function runPlan(plan: Plan, record: DatasetRecord, context: QueryRunContext, how: ReadOptions) {
  const read = async ({ partial, ...stored }: MetricsRead) => {
    const reader = new SeriesReader(stored);
    const { work, take } = stored;
    const frame = await run(plan, { read: reader.read, work, take });
    return { frame, unit: unitOf(reader, plan), partial };
  };
  return readMetrics(record, context, read, how);
}

/** A read of everything acknowledged before it. */
interface MetricsRead extends StoredMetrics {
  /** Recent data is missing. */
  readonly partial: boolean;
  readonly signal: AbortSignal;
  /** When it must be over, by `performance.now()`. */
  readonly deadline: number;
}

/**
 * Runs statements over everything acknowledged before.
 * @throws EngineError, HttpError
 */
export async function readMetrics<T>(
  { datasetId }: DatasetRecord,
  { call, execution, service }: QueryRunContext,
  read: (stored: MetricsRead) => Promise<T>,
  { priority = 'normal', timeout = Infinity, upTo }: ReadOptions = {},
): Promise<T> {
  const { storage } = service;
  const datasetIds = [datasetId];
  const { partial } = await execution.runPhase('waiting', (signal) =>
    orAborted(signal, flushBeforeRead({ storage, datasetIds }, upTo)),
  );
  const { database, table } = tableOf(datasetId);
  return execution.runInSlot(async (latest, grant) => {
    await call.renew();
    const deadline = Math.min(latest, performance.now() + timeout);
    return storage.readers.run(datasetIds, execution.signal, (signal) =>
      storage.reads.run(datasetIds, async (settings, began) => {
        const limits = { signal, deadline, grant, id: execution.id, priority, version: undefined } as const;
        const { textStatement: statement, rows } = new PlanRun({ ...limits, settings, began }, service);
        const bounded = boundedWork({ signal, deadline, grant, settings: service.settings });
        const from = { kind: 'table', database, name: table } as const;
        return translateErrors(read({ statement, rows, ...bounded, from, partial, signal, deadline }));
      }),
    );
  });
}

async function withBounds<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isAboutQuery =
      error instanceof BoundExceeded || error instanceof ComputeProblem || error instanceof ExtendProblem;
    if (isAboutQuery) throw httpError('invalid-query', { problem: error.message }, { cause: error });
    throw error;
  }
}
