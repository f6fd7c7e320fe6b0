import type { Engine, TableName } from '../engine.js';

/** The engines that together have all tables, in the order of their numbers. */
export const shardsOf = (engine: Engine): readonly Engine[] => engine.sharding?.shards ?? [engine];

/**
 * The engine that has a table.
 * @throws EngineError `unknown-table` when the table was not placed
 */
export const shardOf = (engine: Engine, table: TableName): Engine => engine.sharding?.of(table) ?? engine;
