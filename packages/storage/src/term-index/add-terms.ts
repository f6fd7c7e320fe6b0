import type { Engine } from '@millrace/engine';
import { DICTIONARY_STRING } from '@millrace/events';
import { printExpr, quoteIdentifier } from '@millrace/sql';
import type { StoredDataset } from '../fields/dataset.js';
import { columnTypesOf, queryNumbers } from '../tables/query.js';
import { quotedTable } from '../tables/table-of-dataset.js';
import { isRepeated, wordsOfRows } from './row-terms.js';
import { markWords, quotedWordTable } from './term-table.js';

/** Reads the terms of events from a dataset's table into its term index. */

/** Events of one step: few enough that their terms fit into memory, and that a step ends soon. */
const rowsOfStep = 262_144;
/**
 * Approximate events per span: as many as the engine reads at once. With fewer there would be more
 * spans, and more terms in many of them.
 */
const rowsOfSpan = 8192;
/** Sampling rate for detecting repeated texts. */
const sampleRate = 16;
/** Shortest and longest span, as powers of two in nanoseconds: a millisecond, and a day. */
const [shortest, longest] = [20, 46];

/** Callbacks between steps. */
interface BetweenSteps {
  /** Called before completeness is recorded: whether all terms are still there. */
  readonly isValid: () => Promise<boolean>;
  /** The terms of all events up to this position are indexed; returns whether to continue. */
  readonly covered: (upTo: bigint) => boolean;
}

/** Adds the terms of all events after one position and up to another. */
export async function addWords(
  engine: Engine,
  dataset: StoredDataset,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
  { isValid, covered }: BetweenSteps,
): Promise<void> {
  let from = after;
  for (const to of await stepsOf(engine, dataset.id, { after, upTo })) {
    await addStep(engine, dataset, from, to);
    if (!(await isValid())) return;
    await markWords(engine, dataset.id, to);
    if (!covered(to)) return;
    from = to;
  }
}

const behind = (after: bigint, upTo: bigint): string => `_seq > ${after} AND _seq <= ${upTo}`;

/** Positions that divide the events into steps, the last one included. */
async function stepsOf(
  engine: Engine,
  datasetId: number,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<readonly bigint[]> {
  const from = `FROM ${quotedTable(datasetId)} WHERE ${behind(after, upTo)}`;
  const [[rows = 0n] = []] = await queryNumbers(engine, `SELECT toInt64(count()) ${from}`, 1);
  const steps = Math.ceil(Number(rows) / rowsOfStep);
  if (steps < 2) return [upTo];
  const shares = Array.from({ length: steps - 1 }, (_, i) => (i + 1) / steps);
  const found = await queryNumbers(
    engine,
    `SELECT arrayJoin(arrayMap(at -> toInt64(at), quantilesTDigest(${shares.join(', ')})(_seq))) ${from}`,
    1,
  );
  const between = found.flat().filter((position) => position > after && position < upTo);
  return [...new Set([...between.toSorted((a, b) => (a < b ? -1 : 1)), upTo])];
}

async function addStep(engine: Engine, dataset: StoredDataset, after: bigint, upTo: bigint): Promise<void> {
  const from = `FROM ${quotedTable(dataset.id)} WHERE ${behind(after, upTo)}`;
  const time = 'toUnixTimestamp64Nano(_time)';
  const [[rows = 0n, low = 0n, high = 0n] = []] = await queryNumbers(
    engine,
    `SELECT toInt64(count()), toInt64(quantileExact(0.1)(${time})), toInt64(quantileExact(0.9)(${time})) ${from}`,
    3,
  );
  if (rows === 0n) return;
  const level = levelOf(Number(high - low), 0.8 * Number(rows));
  // Columns of events in flight may not exist yet.
  const columns = await columnTypesOf(engine, quotedTable(dataset.id));
  const dictionaries = [...columns].filter(([, type]) => type === DICTIONARY_STRING).map(([name]) => name);
  const repeated = await repeatedOf(engine, dictionaries, from);
  const keys = wordsOfRows([...columns.keys()], { overflows: dataset.fields.overflows, repeated });
  if (keys === undefined) return;
  const words = printExpr(keys);
  await engine.execute(
    `INSERT INTO ${quotedWordTable(dataset.id)} SELECT arrayJoin(words), ${level}, span FROM ` +
      `(SELECT bitShiftRight(${time}, ${level}) AS span, ${words} AS words ${from} GROUP BY span)`,
    { apart: 'upkeep', settings: { max_threads: 1 } },
  );
}

/** The columns whose texts repeat, judged from a sample of the events. */
async function repeatedOf(engine: Engine, columns: readonly string[], from: string): Promise<ReadonlySet<string>> {
  if (columns.length === 0) return new Set();
  const figures = columns
    .map(quoteIdentifier)
    .flatMap((name) => [`toInt64(uniq(${name}))`, `toInt64(ifNull(max(length(${name})), 0))`]);
  const [found = []] = await queryNumbers(
    engine,
    `SELECT ${figures.join(', ')} ${from} AND cityHash64(_seq, _row) % ${sampleRate} = 0`,
    figures.length,
  );
  return new Set(
    columns.filter((_, i) => isRepeated({ distinct: Number(found[2 * i]), longest: Number(found[2 * i + 1]) })),
  );
}

/**
 * The length of spans that have about `rowsOfSpan` events each where most events are, as a power of
 * two in nanoseconds.
 */
function levelOf(nanoseconds: number, rows: number): number {
  const length = Math.max(1, (nanoseconds / Math.max(1, rows)) * rowsOfSpan);
  return Math.min(longest, Math.max(shortest, Math.floor(Math.log2(length))));
}
