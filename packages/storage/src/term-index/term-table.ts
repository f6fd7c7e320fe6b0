import { numberOfHash, wordPlaces } from '@millrace/apl';
import {
  durableTableSettings,
  type Engine,
  preferredTableSettings,
  printSettings,
  type TableName,
} from '@millrace/engine';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import { queryShards, queryNumbers } from '../tables/query.js';
import { cityHash64, longestHashed } from './city-hash.js';
import { databaseIn, databaseOf } from '../tables/database-name.js';
import { type TimeSpan, wholeTime } from './time-spans.js';

/**
 * The term index table of a dataset: which terms occur in which time spans. A span is `2^level`
 * nanoseconds, counted by `span` since the epoch. Rows are only ever added; those of deleted events
 * are harmless.
 */

/**
 * Every event up to a position of the log has its terms in the table; `level` of the row that
 * records it, with word 0 and the position as `span`. An earlier version, whose terms had no column
 * hashes, wrote 0.
 */
const wholeUpTo = { word: 0, level: 1 } as const;

/**
 * The sum of `span` of these rows is the minimum number of term rows in the table: if there are
 * fewer, a part of it is lost, and searches would miss events.
 */
const rowsOfWords = { word: 0, level: 2 } as const;

/**
 * Nanoseconds per partition, thirty days: the terms of events past their retention are dropped by
 * partition.
 */
const nanosecondsOfPartition = 30n * 86_400n * 1_000_000_000n;
const partition = `intDiv(bitShiftLeft(span, level), ${nanosecondsOfPartition})`;

export const wordTableOf = (datasetId: number): TableName => ({
  database: databaseOf(datasetId),
  table: `w${datasetId}`,
});

export function quotedWordTable(datasetId: number): string {
  const { database, table } = wordTableOf(datasetId);
  return `${quoteIdentifier(database)}.${quoteIdentifier(table)}`;
}

/** Parts replaced by a merge are removed as quickly as those of events. */
const settings = {
  ...durableTableSettings,
  max_cleanup_delay_period: preferredTableSettings['max_cleanup_delay_period']!,
};

/** Creates the table unless it exists. */
export const createWordTable = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(
    `CREATE TABLE IF NOT EXISTS ${quotedWordTable(datasetId)} (word UInt32 CODEC(Delta, ZSTD(1)), ` +
      `level UInt8 CODEC(ZSTD(1)), span Int64 CODEC(T64, ZSTD(1))) ENGINE = MergeTree PARTITION BY ${partition} ` +
      `ORDER BY (word, level, span) SETTINGS ${printSettings(settings)}`,
    { defines: wordTableOf(datasetId) },
  );

export const dropWordTable = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(`DROP TABLE IF EXISTS ${quotedWordTable(datasetId)} SYNC`, { apart: 'removal' });

/**
 * Drops the tables of all datasets: without an index they would become wrong, because they are not
 * updated.
 */
export async function dropWordTables(engine: Engine): Promise<void> {
  const sql = `SELECT toInt64(substring(name, 2)) FROM system.tables WHERE database = ${quoteString(databaseIn(engine))} AND match(name, '^w[0-9]+$')`;
  const found = await queryShards(engine, (shard) => queryNumbers(shard, sql, 1));
  for (const [datasetId] of found) await dropWordTable(engine, Number(datasetId));
}

/**
 * The position up to which the terms of all events are in the table; undefined if there is no
 * table. If a part of it is `lost`, or it is that of an earlier version, it is removed.
 */
export async function positionOfWords(engine: Engine, datasetId: number): Promise<bigint | 'lost' | undefined> {
  const { database, table } = wordTableOf(datasetId);
  const isIn = (column: string): string => `database = ${quoteString(database)} AND ${column} = ${quoteString(table)}`;
  const [found] = await queryNumbers(
    engine,
    `SELECT toInt64(count()), toInt64(sum(table IN (SELECT table FROM system.detached_parts WHERE ${isIn('table')} AND reason LIKE '%broken%'))) ` +
      `FROM (SELECT name AS table FROM system.tables WHERE ${isIn('name')})`,
    2,
  );
  if (found?.[0] !== 1n) return undefined;
  const { upTo, isOfEarlier, uncounted } = await marksOf(engine, datasetId);
  const isLost = found[1] !== 0n || uncounted < 0n;
  if (isLost || isOfEarlier) {
    await dropWordTable(engine, datasetId);
    return isLost ? 'lost' : undefined;
  }
  // Rows of an interrupted step, or all of a table that was never counted.
  if (uncounted > 0n) await markWords(engine, datasetId, upTo);
  return upTo;
}

/** The table's marks; `uncounted` is negative if rows are lost. */
async function marksOf(engine: Engine, datasetId: number) {
  const table = quotedWordTable(datasetId);
  const { word, level } = wholeUpTo;
  const marksOnly = queryNumbers(
    engine,
    `SELECT toInt64(maxIf(span, level = ${level})), toInt64(countIf(level < ${level})), ` +
      `toInt64(sumIf(span, level = ${rowsOfWords.level})), toInt64(count()) FROM ${table} WHERE word = ${word}`,
    4,
  );
  const allRows = queryNumbers(engine, `SELECT toInt64(count()) FROM ${table}`, 1);
  const [[[upTo = 0n, ofEarlier = 0n, counted = 0n, marks = 0n] = []], [[rows = 0n] = []]] = await Promise.all([
    marksOnly,
    allRows,
  ]);
  return { upTo, isOfEarlier: ofEarlier > 0n, uncounted: rows - marks - counted };
}

/**
 * Records that the terms of all events up to a position are in the table, and its number of rows.
 * Call it when they are on disk.
 */
export async function markWords(engine: Engine, datasetId: number, upTo: bigint): Promise<void> {
  const { uncounted } = await marksOf(engine, datasetId);
  const rows = [
    [wholeUpTo.word, wholeUpTo.level, upTo],
    [rowsOfWords.word, rowsOfWords.level, uncounted],
  ];
  await insertMarks(engine, datasetId, rows);
}

const insertMarks = (engine: Engine, datasetId: number, rows: readonly (readonly (bigint | number)[])[]) =>
  engine.execute(
    `INSERT INTO ${quotedWordTable(datasetId)} VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`,
    { apart: 'upkeep' },
  );

/** With more spans than this, they are not told apart. */
export const maxSpans = 4096;

/** A time span in which all of some terms occur. */
export interface Occurrence {
  readonly stretch: TimeSpan;
  /** The column hashes of each term, a bit each. */
  readonly places: readonly number[];
}

/** Makes occurrences one of all times, with the column hashes of all. */
export const unite = (all: readonly Occurrence[]): readonly Occurrence[] =>
  all.length === 0
    ? []
    : [
        {
          stretch: wholeTime,
          places: all
            .map(({ places }) => places)
            .reduce((united, places) => united.map((bits, i) => bits | places[i]!)),
        },
      ];

/** The numbers of terms in the table. The engine computes those of very long ones. */
export const numbersOfWords = (engine: Engine, words: readonly string[]): Promise<readonly number[]> =>
  Promise.all(
    words.map(async (word) => {
      const bytes = Buffer.from(word);
      if (bytes.length <= longestHashed) return numberOfHash(cityHash64(bytes));
      const [[hash = 0n] = []] = await queryNumbers(engine, `SELECT cityHash64(${quoteString(word)})`, 1);
      return numberOfHash(hash);
    }),
  );

/**
 * The time spans in which all terms occur; one of all times if there are very many.
 * @param numbers of the terms
 */
export async function spansWith(
  engine: Engine,
  datasetId: number,
  numbers: readonly number[],
): Promise<readonly Occurrence[]> {
  const of = numbers.map((number) => `word BETWEEN ${number * wordPlaces} AND ${(number + 1) * wordPlaces - 1}`);
  const places = of.map(
    (is, i) => `toInt64(groupBitOrIf(bitShiftLeft(toUInt32(1), bitAnd(word, ${wordPlaces - 1})), ${is})) AS in${i}`,
  );
  const from = `FROM ${quotedWordTable(datasetId)} WHERE ${of.map((is) => `(${is})`).join(' OR ')}`;
  const settings = `SETTINGS ${printSettings(lookupSettings)}`;
  const rows = await queryNumbers(
    engine,
    `SELECT toInt64(level), span, ${places.join(', ')} ${from} GROUP BY level, span ` +
      `HAVING ${of.map((_, i) => `in${i} != 0`).join(' AND ')} LIMIT ${maxSpans} ${settings}`,
    2 + numbers.length,
  );
  const found = rows.map(([level, span, ...places]) => ({
    stretch: stretchOfSpan(Number(level), span!),
    places: places.map(Number),
  }));
  if (found.length < maxSpans) return found;
  const united = await queryNumbers(engine, `SELECT ${places.join(', ')} ${from} ${settings}`, numbers.length);
  return united.map((places) => ({ stretch: wholeTime, places: places.map(Number) }));
}

/** The times of a span. */
export const stretchOfSpan = (level: number, span: bigint): TimeSpan => ({
  start: span << BigInt(level),
  end: ((span + 1n) << BigInt(level)) - 1n,
});

/** A few rows of a sorted table: without these settings, planning takes longer than reading. */
const lookupSettings = { max_threads: 1, max_threads_for_indexes: 1, optimize_use_implicit_projections: 0 } as const;

/**
 * Drops the partitions whose spans all ended before the oldest event of the dataset. The last spans
 * of thirty days may reach far into the next.
 */
export async function dropOldWords(engine: Engine, datasetId: number, oldest: bigint): Promise<void> {
  const { database, table } = wordTableOf(datasetId);
  const found = await queryNumbers(
    engine,
    `SELECT DISTINCT toInt64(partition) FROM system.parts WHERE active AND database = ${quoteString(database)} AND table = ${quoteString(table)}`,
    1,
  );
  for (const [number] of found) {
    // The partition of the year 1970 also has the row with the position.
    if (number === undefined || number <= 0n || (number + 1n) * nanosecondsOfPartition > oldest) continue;
    const [[end = 0n, rows = 0n] = []] = await queryNumbers(
      engine,
      `SELECT toInt64(max(bitShiftLeft(span + 1, level))), toInt64(count()) FROM ${quotedWordTable(datasetId)} WHERE ${partition} = ${number}`,
      2,
    );
    if (end > oldest) continue;
    // First: after a crash in between, the table has more rows than counted, and no loss is
    // reported.
    await insertMarks(engine, datasetId, [[rowsOfWords.word, rowsOfWords.level, -rows]]);
    await engine.execute(`ALTER TABLE ${quotedWordTable(datasetId)} DROP PARTITION ${number}`, { apart: 'upkeep' });
  }
}
