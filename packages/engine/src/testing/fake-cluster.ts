import { EngineError, engineErrorOf } from '../errors.js';
import { type Connection, type RemoteRequest, UnknownOutcome } from '../remote-connection.js';
import type { InjectedFault } from './injected-fault.js';
import { type Copy, partitionsIn, SharedTable } from './fake-table.js';

/**
 * Replicas in memory that behave like real ones: with quorums, tokens, delayed parts, and
 * ClickHouse's error numbers. A test decides what fails, and when.
 */

export interface ScriptedOptions {
  readonly replicas: number;
  /** Called with each statement that changes something. */
  readonly mishap: (sql: string) => InjectedFault | undefined;
  /** Schedules the next step of background work. */
  readonly later: (step: () => void) => void;
}

const linesOf = (rows: readonly number[]): string => rows.map((row) => `${row}\n`).join('');

export class ScriptedCluster {
  readonly options: ScriptedOptions;
  readonly replicas: readonly ScriptedReplica[];
  /** Keeper: without it no insert succeeds. */
  keeper = true;
  readonly tables = new Map<string, SharedTable>();
  /** Called with each executed statement. */
  onStatement: (sql: string) => void = () => undefined;
  /** The replica that fetches nothing until it is told to sync. */
  laggard: ScriptedReplica | undefined;
  onSync: (index: number) => Promise<void> = async () => undefined;

  constructor(options: ScriptedOptions) {
    this.options = options;
    this.replicas = Array.from({ length: options.replicas }, (_, index) => new ScriptedReplica(index, this));
  }

  get quorum(): number {
    return Math.floor(this.replicas.length / 2) + 1;
  }

  get alive(): number {
    return this.replicas.filter(({ answers }) => answers).length;
  }

  /** Lets every running replica fetch one part. */
  replicate(): void {
    if (this.keeper)
      for (const replica of this.replicas) if (replica.answers && replica !== this.laggard) replica.fetch();
  }
}

export class ScriptedReplica implements Connection {
  readonly index: number;
  readonly #cluster: ScriptedCluster;
  readonly copies = new Map<string, Copy>();
  /** Whether its disk is full. */
  isFull = false;
  /** Rescued rows of copies, by table name. */
  readonly rescuedRows = new Map<string, readonly number[]>();
  #isUp = true;
  #isPaused = false;
  /** Rises with each start: statements sent to an earlier process are never executed. */
  #life = 0;
  #mark: readonly [owner: string, claim: string] | undefined;
  /** Delayed statements, by query ID. */
  readonly #delayedStatements = new Map<string, () => void>();
  /** IDs of inserts in progress; killed ones are removed. */
  readonly #activeInserts = new Set<string>();
  readonly #resumes = new Set<() => void>();
  /** Statements that were executed here. */
  readonly executedStatements: string[] = [];

  constructor(index: number, cluster: ScriptedCluster) {
    this.index = index;
    this.#cluster = cluster;
  }

  get answers(): boolean {
    return this.#isUp && !this.#isPaused;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  kill(): void {
    this.#isUp = false;
    this.#isPaused = false;
    this.#life++;
    this.#delayedStatements.clear();
    this.#activeInserts.clear();
    this.#resume();
  }

  start(): void {
    if (this.#isUp) return;
    this.#isUp = true;
    this.dropUnexpected();
  }

  dropUnexpected(): void {
    for (const [name, copy] of this.copies) this.#cluster.tables.get(name)!.dropUnexpected(copy);
  }

  pause(): void {
    if (this.#isUp) this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#resume();
  }

  /** Its disk is lost; it must not be up. */
  loseDisk(): void {
    for (const [name, copy] of this.copies) {
      this.#cluster.tables.get(name)?.loseDisk(copy);
      this.copies.delete(name);
    }
    this.rescuedRows.clear();
    this.#mark = undefined;
  }

  /** A kill interrupts a change of columns: the table can never be written again. */
  makeStuck(table: string): void {
    this.kill();
    const copy = this.copies.get(table);
    if (copy !== undefined) copy.isStuck = true;
    this.start();
  }

  fetch(): void {
    for (const [name, copy] of this.copies) if (!copy.isStuck) this.#cluster.tables.get(name)?.bringNext(copy);
  }

  close(): void {}

  async ping(milliseconds = 5): Promise<void> {
    if (!this.#isUp) throw new EngineError('unavailable', 'ECONNREFUSED', 'elsewhere');
    if (this.#isPaused) {
      await Promise.race([this.#untilResumed(), new Promise((resolve) => setTimeout(resolve, milliseconds))]);
      if (!this.answers) throw new EngineError('unavailable', 'no answer in time', 'elsewhere');
    }
  }

  // eslint-disable-next-line require-yield
  async *stream(): AsyncGenerator<Uint8Array> {
    throw new Error('not of use here');
  }

  async request(request: RemoteRequest): ReturnType<Connection['request']> {
    const text = await this.#answer(request);
    return { body: Buffer.from(text), statistics: { elapsedNanoseconds: 0, rowsRead: 0, bytesRead: 0 } };
  }

  async #answer(request: RemoteRequest): Promise<string> {
    const { sql, signal, queryId, repeatable } = request;
    if (signal?.aborted === true) throw new EngineError('cancelled');
    const life = this.#life;
    const isChange = !repeatable;
    const mishap = isChange ? this.#cluster.options.mishap(sql) : undefined;
    if (!this.#isUp || mishap === 'refused') throw new EngineError('unavailable', 'ECONNREFUSED', 'elsewhere');
    // A response takes a moment, and a paused replica gives none before it resumes.
    await this.#waitWhilePaused(signal);
    const connectionError = (): EngineError =>
      isChange ? new UnknownOutcome('ECONNRESET') : new EngineError('unavailable', 'ECONNRESET', 'elsewhere');
    if (life !== this.#life || mishap === 'cut before') throw connectionError();
    if (mishap === 'cut, executed later') {
      this.#delayedStatements.set(queryId, () => void this.#execute(request).catch(() => undefined));
      this.#cluster.options.later(() => {
        const execute = this.#delayedStatements.get(queryId);
        this.#delayedStatements.delete(queryId);
        if (this.#isUp) execute?.();
      });
      throw connectionError();
    }
    if (typeof mishap === 'object' && 'delayedUntil' in mishap) await mishap.delayedUntil;
    if (typeof mishap === 'object' && 'error' in mishap)
      throw engineErrorOf(`${mishap.error}. DB::Exception: a test wants it`);
    const answer = await this.#execute(request, mishap).catch((error: unknown) => {
      throw life === this.#life ? error : connectionError();
    });
    if (mishap === 'half, then 999') throw engineErrorOf('Code: 999. Coordination::Exception: Connection loss');
    if (life !== this.#life || mishap === 'cut after') throw connectionError();
    await this.#waitWhilePaused(signal);
    if (life !== this.#life) throw connectionError();
    return answer;
  }

  async #waitWhilePaused(signal: AbortSignal | undefined): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#isPaused) {
      const aborted = new Promise<void>((resolve) =>
        signal?.addEventListener('abort', () => resolve(), { once: true }),
      );
      await Promise.race([this.#untilResumed(), aborted]);
      if (signal?.aborted === true) throw new EngineError('cancelled');
    }
  }

  #untilResumed(): Promise<void> {
    return new Promise((resolve) => this.#resumes.add(resolve));
  }

  #resume(): void {
    for (const resume of this.#resumes) resume();
    this.#resumes.clear();
  }

  async #execute(request: RemoteRequest, mishap?: InjectedFault): Promise<string> {
    const { sql } = request;
    for (const [pattern, run] of this.#statements) {
      const match = pattern.exec(sql);
      if (match === null) continue;
      this.executedStatements.push(sql);
      this.#cluster.onStatement(sql);
      return (await run(match.slice(1), request, mishap)) ?? '';
    }
    throw new Error(`no script for: ${sql}`);
  }

  #copy(table: string): Copy {
    const copy = this.copies.get(table);
    if (copy === undefined) throw engineErrorOf(`Code: 60. DB::Exception: Table ${table} does not exist`);
    return copy;
  }
  #requireKeeper(): void {
    if (!this.#cluster.keeper) throw engineErrorOf('Code: 999. Coordination::Exception: Session expired');
  }

  readonly #statements: readonly (readonly [
    RegExp,
    (groups: readonly string[], request: RemoteRequest, fault?: InjectedFault) => string | void | Promise<string>,
  ])[] = [
    [/^SELECT version/, () => '26.7.2.1\n'],
    [/FROM system\.disks/, () => `${Number(this.isFull)}\n`],
    [/^SELECT macro, substitution/, () => `replica\tr${this.index + 1}\nshard\t01\n`],
    [/^CREATE DATABASE|^SYSTEM START|^KILL QUERY(?! WHERE arrayExists)/, () => ''],
    [
      /^SYSTEM RESTART REPLICA `\w+`\.`(\w+)`/,
      ([table]) => this.#cluster.tables.get(table!)!.dropUnexpected(this.#copy(table!)),
    ],
    [
      /^SELECT table, name FROM system\.parts .* table IN \((.*)\) AND level = 0/,
      ([tables]) =>
        [...this.copies]
          .filter(([table]) => tables!.includes(`'${table}'`))
          .flatMap(([table, { parts }]) => [...parts].map(({ name }) => `${table}\t${name}\n`))
          .join(''),
    ],
    [
      /^SELECT name FROM system\.tables .* startsWith\(name, 'kept_'\)$/,
      () => [...this.rescuedRows.keys()].map((name) => `${name}\n`).join(''),
    ],
    [
      /^SELECT name FROM system\.tables/,
      () => [...this.copies.keys(), ...(this.#mark ? ['owner'] : [])].map((name) => `${name}\n`).join(''),
    ],
    [
      /^CREATE (?:OR REPLACE )?VIEW .* AS SELECT '(.*)' AS owner, '(.*)' AS claim$/,
      ([owner, claim]) => void (this.#mark = [owner!, claim!]),
    ],
    [
      /^SELECT arrayJoin\(\[owner, claim\]\)/,
      () => {
        if (this.#mark === undefined) throw engineErrorOf('Code: 60. DB::Exception: Unknown table owner');
        return `${this.#mark.join('\n')}\n`;
      },
    ],
    [
      /^KILL QUERY WHERE arrayExists\(prefix -> startsWith\(query_id, prefix\), \[(.*)\]\)/,
      ([list]) => {
        const prefixes = [...list!.matchAll(/'([^']*)'/g)].map(([, prefix]) => prefix!);
        for (const ids of [this.#delayedStatements, this.#activeInserts])
          for (const id of ids.keys()) if (prefixes.some((prefix) => id.startsWith(prefix))) ids.delete(id);
        return '';
      },
    ],
    [/^SELECT count\(\) FROM system\.processes/, () => '0\n'],
    [
      /FROM system\.replicas WHERE database = '\w+'$/,
      () =>
        [...this.copies]
          .map(
            ([name, copy]) =>
              `${name}\t${Number(this.#isReadOnly(copy))}\t${this.#cluster.tables.get(name)!.countMissingParts(copy)}\n`,
          )
          .join(''),
    ],
    [
      /mapContains\(replica_is_active, '(.*?)'\)\).*table = '(\w+)'/,
      ([name, table]) => {
        const other = this.#cluster.replicas.find(({ index }) => `r${index + 1}` === name);
        return `${Number(this.#cluster.tables.get(table!)!.knows(other!.index))}\n`;
      },
    ],
    [
      /^SYSTEM DROP REPLICA '(.*?)' FROM TABLE `\w+`\.`(\w+)`/,
      ([name, table]) => {
        this.#requireKeeper();
        const other = this.#cluster.replicas[Number(name!.slice(1)) - 1]!;
        if (other.isUp && other.copies.get(table!)?.isStuck === false)
          throw engineErrorOf("Code: 305. DB::Exception: Can't drop replica: it's active");
        this.#cluster.tables.get(table!)!.forget(other.index);
        return '';
      },
    ],
    [
      /^SELECT create_table_query .* name = '(\w+)'/,
      ([table]) => `CREATE TABLE \`m\`.\`${this.#copy(table!).table}\` (rows)\n`,
    ],
    [
      /^SYSTEM SYNC REPLICA `\w+`\.`(\w+)` LIGHTWEIGHT/,
      async ([table]) => {
        await this.#cluster.onSync(this.index);
        this.#requireKeeper();
        const copy = this.#copy(table!);
        if (copy.isStuck) throw engineErrorOf('Code: 242. DB::Exception: Table is in readonly mode');
        if (!this.#cluster.tables.get(table!)!.bringAll(copy))
          throw engineErrorOf('Code: 159. DB::Exception: Timeout exceeded');
        return '';
      },
    ],
    [/system\.replication_queue/, () => '0\n'],
    [/^CREATE TABLE `\w+`\.`(kept_\w+)`/, ([name]) => void this.rescuedRows.set(name!, [])],
    [
      /^ALTER TABLE `\w+`\.`(kept_\w+)` ATTACH PARTITION ALL FROM `\w+`\.`(\w+)`/,
      ([name, table]) => void this.rescuedRows.set(name!, this.#copy(table!).rows),
    ],
    [/^DROP TABLE IF EXISTS `\w+`\.`(kept_\w+)`/, ([name]) => void this.rescuedRows.delete(name!)],
    [
      /^CREATE TABLE (?:IF NOT EXISTS )?`\w+`\.`(\w+)`/,
      ([table]) => {
        this.#requireKeeper();
        const shared = this.#cluster.tables.get(table!) ?? new SharedTable(this.#cluster);
        this.#cluster.tables.set(table!, shared);
        if (!this.copies.has(table!)) this.copies.set(table!, shared.join(table!, this.index));
        return '';
      },
    ],
    [
      /^DROP TABLE IF EXISTS `\w+`\.`(\w+)`/,
      ([table]) => {
        const copy = this.copies.get(table!);
        if (copy !== undefined) this.#cluster.tables.get(table!)?.forget(this.index);
        this.copies.delete(table!);
        return '';
      },
    ],
    [
      /^ALTER TABLE `\w+`\.`(\w+)`/,
      ([table]) => {
        this.#copy(table!);
        this.#requireKeeper();
        return '';
      },
    ],
    [
      /^INSERT INTO `\w+`\.`(\w+)`.*\(SELECT claim FROM .*?\) != '(.*?)'/s,
      ([table, claim], request, mishap) => this.#insert(table!, claim!, request, mishap),
    ],
    [/^SELECT rows FROM `\w+`\.`(\w+)`/, ([table]) => linesOf(this.#copy(table!).rows)],
  ];

  #isReadOnly(copy: Copy): boolean {
    return copy.isStuck || !this.#cluster.keeper;
  }

  async #insert(
    table: string,
    claim: string,
    { data, settings, queryId }: RemoteRequest,
    mishap: InjectedFault | undefined,
  ): Promise<string> {
    const copy = this.#copy(table);
    if (this.#mark?.[1] !== claim) throw engineErrorOf('Code: 395. DB::Exception: another claim was made');
    if (this.#isReadOnly(copy)) throw engineErrorOf('Code: 242. DB::Exception: Table is in readonly mode');
    if (this.#cluster.alive < this.#cluster.quorum) throw engineErrorOf('Code: 285. DB::Exception: too few');
    const shared = this.#cluster.tables.get(table)!;
    this.#activeInserts.add(queryId);
    for (const [i, some] of partitionsIn(data ?? []).entries()) {
      if (mishap === 'half, then 999' && i > 0) return '';
      if (!this.#activeInserts.has(queryId)) throw engineErrorOf('Code: 394. DB::Exception: Query was cancelled');
      const token = `${settings['insert_deduplication_token']} ${some[0]! % 2}`;
      if (mishap === 'without Keeper') {
        shared.writeUnexpected(copy, token, some);
        throw engineErrorOf('Code: 319. DB::Exception: Unknown status of part');
      }
      const part = shared.write(copy, token, some);
      await shared.quorum(part);
    }
    this.#activeInserts.delete(queryId);
    return '';
  }
}
