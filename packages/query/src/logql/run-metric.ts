import {
  type BucketRow,
  combineBuckets,
  expressionOf,
  LogqlProblem,
  logqlBounds,
  type Metric,
  needsFields,
  Pipeline,
  type RangeAggregation,
  rangePlan,
  type RangeRead,
  type Schema,
  timeColumn,
  valueColumn,
} from '@millrace/logql';
import { BoundExceeded } from '@millrace/mpl';
import {
  checkType,
  evaluate,
  type Grid,
  lastOf,
  type PointSeries,
  type QueryTimes,
  scopeOf,
  type Selector,
  type Value,
} from '@millrace/promql';
import type { QueryRunContext } from '../context.js';
import { boundedWork, type BoundedWork } from '../mpl/bounded-work.js';
import { retryOnChange } from '../retries.js';
import type { EngineTable } from '../run/outcome.js';
import { groupableFields } from './groupable-fields.js';
import { Cells, runProgram } from './run-program.js';
import { type Target, withoutDatasetName } from './target.js';

/** A metric query, from its tree to values at the times of a grid. */

export interface MetricRequest {
  readonly text: string;
  readonly kind: 'instant' | 'range';
  readonly metric: Metric;
  readonly grid: Grid;
}

interface MetricOutcome {
  readonly value: Value;
  readonly partial: boolean;
}

const problemOf =
  (text: string) =>
  ({ start }: { readonly start: number }, message: string): never => {
    throw new LogqlProblem(text, { start }, message);
  };

/** @throws HttpError, EngineError, LogqlProblem, EvaluationProblem, BoundExceeded */
export function runMetric(request: MetricRequest, target: Target, context: QueryRunContext): Promise<MetricOutcome> {
  const { text, metric, grid } = request;
  const fail = problemOf(text);
  return retryOnChange({
    prepare: async () => {
      const { expr, reads } = expressionOf(metric, ({ span }, message) => fail(span, message));
      checkType(text, expr);
      const schema = reads.length === 0 ? undefined : await target.schema(reads.map(({ range }) => range.log.selector));
      return { expr, reads, schema };
    },
    perform: async ({ expr, reads, schema }) => {
      const points = new Map<Selector, readonly PointSeries[]>();
      let partial = false;
      for (const read of reads) {
        const found = await readRange(read, schema!, request, context);
        points.set(read.selector, found.series);
        partial ||= found.partial;
      }
      const query: QueryTimes = { start: grid.start, end: lastOf(grid), lookback: 1, subqueryStep: 60_000 };
      const value = await within(context, ({ work, take }) =>
        take(evaluate(expr, scopeOf(grid, { query, points, work }))),
      );
      return { value, partial };
    },
  });
}

/** Runs an evaluation on arrays in a slot of the query. */
const within = <T>({ execution, service }: QueryRunContext, run: (bounded: BoundedWork) => Promise<T>): Promise<T> =>
  execution.runInSlot((deadline, grant) =>
    run(boundedWork({ signal: execution.signal, deadline, grant, settings: service.settings })),
  );

interface FoundSeries {
  readonly series: readonly PointSeries[];
  readonly partial: boolean;
}

async function readRange(
  read: RangeRead,
  schema: Schema,
  { text, grid }: MetricRequest,
  context: QueryRunContext,
): Promise<FoundSeries> {
  const range = { ...read.range, log: withoutDatasetName(read.range.log, schema) };
  const given = { ...read, range };
  const fields = needsFields(given) ? await fieldsWithFewValues(range, schema, { text, grid }, context) : [];
  const plan = rangePlan(range, { schema, grid, fields, wanted: read.wanted, fail: problemOf(text) });
  const { max } = logqlBounds.logqlRows;
  const { table, partial } = await runProgram(
    plan.program,
    { range: nanosecondsOf(plan.reads), limit: max + 1 },
    context,
  );
  if (table.rows > max) throw new BoundExceeded(logqlBounds.logqlRows, 'group by fewer labels, or use a longer step');
  const series = await within(context, ({ work, take }) =>
    take(
      (function* () {
        const rows: BucketRow[] = [];
        for (const row of bucketRows(table, plan.labels)) {
          rows.push(row);
          work.create('point', 1);
          if (work.isDue(10)) yield;
        }
        return yield* combineBuckets(rows, plan, { grid, offset: range.offset, work });
      })(),
    ),
  );
  return { series, partial };
}

/** The labels of ungrouped series: fields with few values in the time of the query. */
function fieldsWithFewValues(
  range: RangeAggregation,
  schema: Schema,
  { text, grid }: Pick<MetricRequest, 'text' | 'grid'>,
  context: QueryRunContext,
): Promise<readonly string[]> {
  const { operators } = new Pipeline({ ...range.log, stages: [] }, schema, problemOf(text));
  const reads = { start: grid.start - range.offset - range.range, end: lastOf(grid) - range.offset };
  return groupableFields(schema, operators, nanosecondsOf(reads), context);
}

/** A range whose start is exclusive. */
const nanosecondsOf = ({ start, end }: { readonly start: number; readonly end: number }) => ({
  start: BigInt(Math.round(start * 1e3)) * 1000n + 1n,
  end: BigInt(Math.round(end * 1e3)) * 1000n,
});

function* bucketRows(table: EngineTable, labels: readonly string[]): Generator<BucketRow> {
  const times = new Cells(table, timeColumn);
  const texts = labels.map((label) => new Cells(table, `label ${label}`));
  const values = [0, 1].flatMap((i) =>
    table.output.some(({ name }) => name === valueColumn(i)) ? [new Cells(table, valueColumn(i))] : [],
  );
  for (let row = 0; row < table.rows; row++)
    yield {
      time: Number(times.time(row) / 1000n) / 1000,
      labels: texts.map((cells) => cells.text(row) ?? ''),
      values: values.map((cells) => cells.number(row)),
    };
}
