import {
  type Engine,
  type EngineResult,
  type QueryLimits,
  type Settings,
  shardsOf,
  type TableName,
} from '@millrace/engine';

/** Small queries whose results are parsed into values. */

/** Queries all tables: each shard about its own. */
export const queryShards = async <T>(
  engine: Engine,
  ask: (shard: Engine) => Promise<readonly T[]>,
): Promise<readonly T[]> => (await Promise.all(shardsOf(engine).map(ask))).flat();

/** Queries the shards that respond now; the caller makes up for the others later. */
export const queryReadyShards = async <T>(
  engine: Engine,
  ask: (shard: Engine) => Promise<readonly T[]>,
): Promise<readonly T[]> =>
  engine.sharding === undefined
    ? ask(engine)
    : queryShards(engine, async (shard) => (shard.health().state === 'ready' ? ask(shard) : []));

/** Queries rows of `width` Int64 values each. */
export async function queryNumbers(
  engine: Engine,
  sql: string,
  width: number,
  settings: Settings = {},
  limits: QueryLimits = {},
): Promise<readonly (readonly bigint[])[]> {
  return numbersOf(await engine.query(sql, { format: 'RowBinary', settings, limits }), width);
}

/** Queries every server that has the tables, about itself. */
export async function queryNumbersOfEach(
  engine: Engine,
  sql: string,
  width: number,
): Promise<readonly (readonly bigint[])[]> {
  const { replication } = engine;
  if (replication === undefined) return queryNumbers(engine, sql, width);
  const answers = await replication.askEach(sql, { format: 'RowBinary' });
  return answers.flatMap((answer) => numbersOf(answer, width));
}

/** Queries most replicas of a table, each after a sync; without replicas, the single server. */
export async function queryNumbersOfMajority(
  engine: Engine,
  table: TableName,
  sql: string,
  width: number,
): Promise<readonly (readonly (readonly bigint[])[])[]> {
  const { replication } = engine;
  if (replication === undefined) return [await queryNumbers(engine, sql, width)];
  const answers = await replication.askMost(table, sql, { format: 'RowBinary' });
  return answers.map((answer) => numbersOf(answer, width));
}

function numbersOf({ body }: EngineResult, width: number): readonly (readonly bigint[])[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  return Array.from({ length: body.byteLength / (8 * width) }, (_, row) =>
    Array.from({ length: width }, (_, i) => view.getBigInt64(8 * (row * width + i), true)),
  );
}

/** Queries rows of JSON values. */
export async function queryRows<Row extends readonly unknown[]>(engine: Engine, sql: string): Promise<readonly Row[]> {
  const { body } = await engine.query(sql, { format: 'JSONCompactEachRow' });
  return Buffer.from(body)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** The names of the columns of a table or table function, quoted for a statement. */
export const columnsOf = async (engine: Engine, table: string): Promise<readonly string[]> => [
  ...(await columnTypesOf(engine, table)).keys(),
];

/** The columns of a table or table function with their types. */
export async function columnTypesOf(engine: Engine, table: string): Promise<ReadonlyMap<string, string>> {
  const { columns } = await engine.query(`DESCRIBE TABLE ${table}`, { format: 'JSONCompactColumns' });
  const [names = [], types = []] = columns.map(
    ({ values }) => JSON.parse(Buffer.from(values).toString('utf8') || '[]') as readonly string[],
  );
  return new Map(names.map((name, i) => [name, types[i]!]));
}
