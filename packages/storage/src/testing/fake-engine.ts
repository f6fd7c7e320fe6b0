import {
  type Engine,
  EngineError,
  type EngineErrorCode,
  type EngineState,
  type Insert,
  type EngineResult,
} from '@millrace/engine';
import { printExpr } from '@millrace/sql';

/** A fault in place of a call, decided before the call. */
export type Fault =
  /** It fails and has done nothing. */
  | { readonly kind: 'fails'; readonly code: EngineErrorCode; readonly detail?: string }
  /** It fails after doing its work; an insert only for its first day. */
  | { readonly kind: 'half'; readonly code: EngineErrorCode }
  /**
   * It fails, and begins after that many other calls: a connection that broke, with something in
   * between that delivers late.
   */
  | { readonly kind: 'late'; readonly code: EngineErrorCode; readonly calls: number }
  /** An insert fails with its token written but not its rows. */
  | { readonly kind: 'forgets'; readonly code: EngineErrorCode }
  /** It fails, and does its work when the test calls `release`: its caller may be gone by then. */
  | { readonly kind: 'delayed'; readonly code: EngineErrorCode }
  /** It gets no result: the server dies before, during or after the work. */
  | { readonly kind: 'dies'; readonly done: 'nothing' | 'half' | 'all' };

export interface FakeCall {
  readonly kind: 'insert' | 'execute' | 'query' | 'spread';
  readonly sql: string;
  /** Batches of an insert. */
  readonly positions: readonly bigint[];
}

interface Row {
  readonly seq: bigint;
  readonly row: number;
  readonly time: bigint;
}

const dayNanoseconds = 86_400_000_000_000n;
const neverPromise = new Promise<never>(() => undefined);

/**
 * Tables in memory that outlive the servers over them. It knows the storage's statements, and keeps
 * only identifying columns of rows. It fails, hangs, or completes half of a statement where a test
 * requires it.
 */
export class FakeEngine {
  readonly tables = new Map<string, readonly Row[]>();
  readonly calls: FakeCall[] = [];
  /**
   * The partitions it reports as worth merging: dataset, partition, state, age, minimum idle time
   * if it is long, and the blocks if they differ from the state.
   */
  unmergedPartitions: readonly (readonly [bigint, bigint, bigint, bigint, bigint?, bigint?])[] = [];
  fault: (call: FakeCall, nth: number) => Fault | undefined = () => undefined;
  /** Awaited before a call does its work. */
  before: (call: FakeCall) => Promise<void> = () => Promise.resolve();
  state: EngineState = 'ready';
  /** Of all events. */
  bytes = 0n;
  /** Whether tables are reported as replicated. */
  isReplicated = false;
  /** How many replicas have all rows, and must have them. */
  copies = 1;
  /** How many of them return rows. */
  visibleCopies = 1;
  readonly #delayedWork: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  /** Tokens by table and day: a partition of an insert under a known token is dropped silently. */
  readonly tokens = new Set<string>();
  #late: { readonly at: number; readonly work: () => void }[] = [];
  #life = 0;
  /** The fence: no insert below this position begins. */
  #fence = 0n;
  #inserts = 0n;
  readonly #runningIds = new Set<bigint>();

  /** The engine as a single server sees it; the previous server gets no more results. */
  open(): Engine {
    const life = ++this.#life;
    const run = async <T>(call: FakeCall, work: (half: boolean) => T, forget = (): void => undefined): Promise<T> => {
      if (life !== this.#life) return neverPromise;
      const fault = this.fault(call, this.calls.push(call));
      this.#deliver();
      await this.before(call);
      if (life !== this.#life) return neverPromise;
      if (fault === undefined) return work(false);
      if (fault.kind === 'half') work(true);
      if (fault.kind === 'forgets') forget();
      if (fault.kind === 'late') this.#late.push({ at: this.calls.length + fault.calls, work: () => void work(false) });
      if (fault.kind === 'delayed') this.#delayedWork.push(() => void work(false));
      if (fault.kind === 'dies' && fault.done !== 'nothing') work(fault.done === 'half');
      const detail = (fault.kind === 'fails' ? fault.detail : undefined) ?? 'a test wants it';
      if (fault.kind !== 'dies') throw new EngineError(fault.code, detail);
      this.#life++;
      return neverPromise;
    };
    return {
      ...(this.isReplicated && {
        replication: {
          engineOf: () => 'ReplicatedMergeTree',
          spread: ({ table }, to) => run({ kind: 'spread', sql: `${table} ${to}`, positions: [] }, () => undefined),
          askEach: (sql) =>
            run({ kind: 'query', sql, positions: [] }, () =>
              Array.from({ length: this.visibleCopies }, () => this.#query(sql)),
            ),
          askMost: (_, sql) =>
            run({ kind: 'query', sql, positions: [] }, () =>
              Array.from({ length: this.copies }, (_each, n) =>
                n < this.visibleCopies ? this.#query(sql) : numbers([]),
              ),
            ),
        },
      }),
      insert: async (insert) => {
        const rows = rowsOf(insert);
        const positions = [...new Set(rows.map(({ seq }) => seq))];
        const id = ++this.#inserts;
        // The fence position at its start; a late one begins later.
        let begun: bigint | undefined = this.#fence;
        this.#runningIds.add(id);
        try {
          return await run(
            { kind: 'insert', sql: '', positions },
            (half) => this.#insert(insert, rows, { half, fence: begun ?? this.#fence }),
            () => {
              for (const row of rows) this.#knows(insert, row);
            },
          );
        } finally {
          begun = undefined;
          this.#runningIds.delete(id);
        }
      },
      execute: (sql) => run({ kind: 'execute', sql, positions: [] }, () => this.#execute(sql)),
      query: (sql) => run({ kind: 'query', sql, positions: [] }, () => this.#query(sql)),
      stream: () => {
        throw new Error('not of use here');
      },
      health: () => ({ state: this.state, since: 0, restarts: 0, memoryBytes: 0 }),
      onReady: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      close: () => Promise.resolve(),
    };
  }

  /** Completes delayed statements. */
  release(): void {
    for (const work of this.#delayedWork.splice(0)) work();
  }

  /** Rows of a dataset, `position.row`, in order. */
  rows(datasetId: number): readonly string[] {
    return (this.tables.get(`d${datasetId}`) ?? []).map(({ seq, row }) => `${seq}.${row}`).toSorted();
  }

  #table(name: string): readonly Row[] {
    const rows = this.tables.get(name);
    if (rows === undefined) throw new EngineError('unknown-table', name);
    return rows;
  }

  #insert(
    insert: Insert,
    rows: readonly Row[],
    { half, fence }: { readonly half: boolean; readonly fence: bigint },
  ): void {
    const {
      table: { table },
      where,
    } = insert;
    const there = this.#table(table);
    const present = new Set(there.map(({ seq, row }) => `${seq}.${row}`));
    const sql = where === undefined ? '' : printExpr(where);
    if (BigInt(/throwIf\(less\((\d+), /.exec(sql)?.[1] ?? fence) < fence)
      throw new EngineError('bad-value', 'Code: 395. DB::Exception: its positions were given up');
    const from = /fromUnixTimestamp64Nano\(toInt64\((-?\d+)\)/.exec(sql)?.[1];
    const missing = rows.filter(
      ({ seq, row, time }) =>
        !(sql.includes('`_row`') && present.has(`${seq}.${row}`)) && (from === undefined || time >= BigInt(from)),
    );
    const [first] = missing;
    const added = half ? missing.filter((row) => dayOf(row) === dayOf(first!)) : missing;
    const days = new Set(added.map(dayOf).filter((day) => !this.#knows(insert, { time: day * dayNanoseconds })));
    this.tables.set(table, [...there, ...added.filter((row) => days.has(dayOf(row)))]);
  }

  /** Whether the token of an insert is known for a day; it is from now on. */
  #knows({ table: { table }, token }: Insert, row: { readonly time: bigint }): boolean {
    const name = `${table} ${token} ${dayOf(row)}`;
    const known = token !== undefined && this.tokens.has(name);
    this.tokens.add(name);
    return known;
  }

  /** Runs late statements. A table may be deleted by then. */
  #deliver(): void {
    const due = this.#late.filter(({ at }) => at <= this.calls.length);
    this.#late = this.#late.filter((late) => !due.includes(late));
    for (const { work } of due)
      try {
        work();
      } catch {
        // Its result is lost.
      }
  }

  #execute(sql: string): void {
    const fence = /INTO .*`fence` VALUES \((\d+)\)/.exec(sql)?.[1];
    if (fence !== undefined) this.#fence = BigInt(fence) > this.#fence ? BigInt(fence) : this.#fence;
    if (sql.includes('`fence`')) return;
    const table = /`(d\d+)`/.exec(sql)?.[1] ?? '';
    if (sql.startsWith('CREATE TABLE')) this.tables.set(table, this.tables.get(table) ?? []);
    else if (sql.startsWith('DROP TABLE')) this.tables.delete(table);
    else if (sql.includes(' DROP PARTITION ')) {
      const days = new Set([...sql.matchAll(/PARTITION ID '(\d+)'/g)].map(([, day]) => BigInt(day!)));
      this.#keep(table, (row) => !days.has(dayOf(row)));
    } else if (/^DELETE FROM .* WHERE _seq = /.test(sql)) {
      const position = BigInt(/_seq = (\d+)/.exec(sql)![1]!);
      this.#keep(table, ({ seq }) => seq !== position);
    } else if (sql.startsWith('DELETE FROM')) {
      const older = olderOf(sql);
      this.#keep(table, (row) => !older(row));
    } else if (/^(ALTER|OPTIMIZE) TABLE|^SYSTEM (STOP|START) MERGES/.test(sql)) this.#table(table);
    else if (!/^(CREATE DATABASE|KILL MUTATION) /.test(sql)) throw new Error(`unknown statement ${sql}`);
  }

  #keep(table: string, keep: (row: Row) => boolean): void {
    this.tables.set(table, this.#table(table).filter(keep));
  }

  #query(sql: string): EngineResult {
    if (sql.includes('has_lightweight_delete')) return numbers(this.#counts().flat());
    if (sql.includes(' FROM system.processes ')) return numbers([...this.#runningIds]);
    if (sql.startsWith('SELECT DISTINCT')) return numbers([]);
    if (sql.includes(' FROM system.detached_parts ')) return numbers([]);
    if (sql.includes('sum(bytes_on_disk)) FROM system.parts')) return numbers([this.bytes]);
    if (sql.includes(' FROM system.parts '))
      return numbers(
        this.unmergedPartitions.flatMap(([id, partition, state, age, rest = 0n, blocks = state]) => [
          id,
          partition,
          state,
          blocks,
          age,
          0n,
          rest,
        ]),
      );
    if (sql.includes(' FROM system.merge_tree_settings ')) return numbers([]);
    // It has no term index tables.
    if (sql.includes("'^w[0-9]+$'")) return numbers([]);
    if (sql.includes(' FROM system.tables ')) return numbers([...this.tables.keys()].map(idOf));
    if (sql.includes(' FROM merge(')) return this.#queryAll(sql);
    const rows = this.#table(/`(d\d+)`/.exec(sql)?.[1] ?? '');
    if (sql.includes('GROUP BY _seq')) return numbers(perBatch(sql, rows).flat());
    // Its parts are whole days.
    if (sql.includes('GROUP BY _part ')) return numbers([]);
    if (sql.includes('AS partition')) {
      const before = dayOf({ time: BigInt(/fromUnixTimestamp64Nano\((\d+)/.exec(sql)![1]!) });
      const upTo = BigInt(/max\(_seq\) <= (\d+)/.exec(sql)![1]!);
      const days = new Set(rows.map(dayOf).filter((day) => day < before));
      return numbers(
        [...days].flatMap((day) => {
          const there = rows.filter((row) => dayOf(row) === day);
          return there.every(({ seq }) => seq <= upTo) ? [day, BigInt(there.length)] : [];
        }),
      );
    }
    if (sql.includes('_partition_id = ')) {
      const partition = BigInt(/_partition_id = '(\d+)'/.exec(sql)![1]!);
      return numbers([BigInt(rows.filter((row) => partitionOf(dayOf(row)) === partition).length)]);
    }
    if (sql.startsWith('SELECT toInt64(count())')) return numbers([BigInt(rows.filter(olderOf(sql)).length)]);
    throw new Error(`unknown query ${sql}`);
  }

  /** Dataset, partition and row count; never with deleted rows in parts. */
  #counts(): readonly (readonly bigint[])[] {
    return [...this.tables].flatMap(([table, rows]) => {
      const days = new Map<bigint, bigint>();
      for (const row of rows) days.set(dayOf(row), (days.get(dayOf(row)) ?? 0n) + 1n);
      return [...days].map(([day, count]) => [idOf(table), partitionOf(day), count, 0n, count]);
    });
  }

  /** Queries over the tables of all datasets. */
  #queryAll(sql: string): EngineResult {
    if (this.tables.size === 0) throw new EngineError('rejected', 'no table is like that');
    const all = [...this.tables];
    if (sql.includes('GROUP BY dataset, _seq')) {
      return numbers(all.flatMap(([table, rows]) => perBatch(sql, rows).flatMap((batch) => [idOf(table), ...batch])));
    }
    if (!sql.includes('max(_seq)')) throw new Error(`unknown query ${sql}`);
    const above = BigInt(/_seq > (\d+)/.exec(sql)![1]!);
    const positions = all.flatMap(([, rows]) => rows.map(({ seq }) => seq)).filter((seq) => seq > above);
    return numbers([positions.reduce((max, seq) => (seq > max ? seq : max), 0n)]);
  }
}

/** Dataset ID of a table. */
const idOf = (table: string): bigint => BigInt(table.slice(1));

/** Position and number of rows of each batch that the statement selects. */
function perBatch(sql: string, rows: readonly Row[]): readonly (readonly [bigint, bigint])[] {
  const from = BigInt(/_seq >= (\d+)/.exec(sql)![1]!);
  const upTo = BigInt(/_seq <= (\d+)/.exec(sql)?.[1] ?? 1n << 63n);
  const counts = new Map<bigint, bigint>();
  for (const { seq } of rows) if (seq >= from && seq <= upTo) counts.set(seq, (counts.get(seq) ?? 0n) + 1n);
  return [...counts];
}

/** The fake engine partitions by day only. */
const dayOf = ({ time }: { readonly time: bigint }): bigint => time / dayNanoseconds;

/** `20260101`. */
const partitionOf = (day: bigint): bigint =>
  BigInt(new Date(Number(day) * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''));

function olderOf(sql: string): (row: Row) => boolean {
  const time = BigInt(/fromUnixTimestamp64Nano\((\d+)\)/.exec(sql)![1]!);
  const upTo = BigInt(/_seq <= (\d+)/.exec(sql)![1]!);
  return (row) => row.time < time && row.seq <= upTo;
}

/**
 * Identifying columns of a Native block: the system columns, in the chunks that `nativeBlocks`
 * creates.
 */
function rowsOf({ columns, chunks }: Insert): readonly Row[] {
  const view = (name: string): DataView => {
    const { buffer, byteOffset, byteLength } = chunks[2 + 2 * columns.findIndex((column) => column.name === name)]!;
    return new DataView(buffer, byteOffset, byteLength);
  };
  const [seq, row, time] = [view('_seq'), view('_row'), view('_time')];
  return Array.from({ length: seq.byteLength / 8 }, (_, i) => ({
    seq: seq.getBigUint64(8 * i, true),
    row: row.getUint32(4 * i, true),
    time: time.getBigInt64(8 * i, true),
  }));
}

function numbers(values: readonly bigint[]): EngineResult {
  const body = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) body.writeBigInt64LE(value, 8 * i);
  return { body, columns: [], rows: 0, statistics: { elapsedNanoseconds: 0, rowsRead: 0, bytesRead: 0 } };
}
