import { setTimeout as sleep } from 'node:timers/promises';
import { engineErrorOf } from '../errors.js';
import type { ScriptedCluster } from './fake-cluster.js';

/** Rows of one partition of one insert. */
interface Part {
  readonly name: string;
  readonly token: string;
  readonly rows: readonly number[];
  /** Replicas that store it. */
  readonly holders: Set<number>;
  /** Whether enough replicas have had it; before that the insert is not confirmed. */
  confirmed: boolean;
}

/** A replica's copy of a table. */
export class Copy {
  readonly table: string;
  readonly replica: number;
  readonly parts = new Set<Part>();
  isStuck = false;

  constructor(table: string, replica: number) {
    this.table = table;
    this.replica = replica;
  }

  get rows(): readonly number[] {
    return [...this.parts].flatMap(({ rows }) => rows);
  }
}

/** The rows of an insert, divided into even and odd ones. */
export function partitionsIn(data: Iterable<Uint8Array>): readonly (readonly number[])[] {
  const rows = Buffer.concat([...data])
    .toString('utf8')
    .split(' ')
    .map(Number);
  return [0, 1].map((rest) => rows.filter((row) => row % 2 === rest)).filter((some) => some.length > 0);
}

/** How many checks an insert waits for its quorum. */
const quorumLooks = 20;

/** A table in Keeper: its parts, and their tokens. */
export class SharedTable {
  readonly #cluster: ScriptedCluster;
  readonly #parts: Part[] = [];
  #names = 0;
  readonly #copies = new Map<number, Copy>();

  constructor(cluster: ScriptedCluster) {
    this.#cluster = cluster;
  }

  join(table: string, replica: number): Copy {
    if (this.#copies.has(replica)) throw engineErrorOf('Code: 253. DB::Exception: Replica already exists');
    const copy = new Copy(table, replica);
    this.#copies.set(replica, copy);
    return copy;
  }

  knows(replica: number): boolean {
    return this.#copies.has(replica);
  }

  forget(replica: number): void {
    this.#copies.delete(replica);
    for (const part of this.#parts) part.holders.delete(replica);
  }

  /** The disk of a copy is lost. */
  loseDisk(copy: Copy): void {
    for (const part of this.#parts) part.holders.delete(copy.replica);
    copy.parts.clear();
  }

  /** How many parts a copy lacks. */
  countMissingParts(copy: Copy): number {
    return this.#parts.filter((part) => !copy.parts.has(part)).length;
  }

  /** Writes a part on one replica, unless its token is known. */
  write(copy: Copy, token: string, rows: readonly number[]): Part {
    const known = this.#parts.find((part) => part.token === token);
    if (known !== undefined) return known;
    const part = this.#createPart(copy, token, rows);
    this.#parts.push(part);
    return part;
  }

  /** Writes a part on one replica, where it is visible, without registering it in Keeper. */
  writeUnexpected(copy: Copy, token: string, rows: readonly number[]): void {
    if (this.#parts.every((part) => part.token !== token)) this.#createPart(copy, token, rows);
  }

  /** A copy drops its parts that Keeper does not know, as at each start. */
  dropUnexpected(copy: Copy): void {
    for (const part of copy.parts) if (!this.#parts.includes(part)) copy.parts.delete(part);
  }

  #createPart(copy: Copy, token: string, rows: readonly number[]): Part {
    const part: Part = { name: `${++this.#names}`, token, rows, holders: new Set([copy.replica]), confirmed: false };
    copy.parts.add(part);
    return part;
  }

  /** Waits until enough replicas have a part. */
  async quorum(part: Part): Promise<void> {
    for (let look = 0; look < quorumLooks && !part.confirmed; look++) {
      part.confirmed ||= part.holders.size >= this.#cluster.quorum;
      if (part.confirmed) return;
      await sleep(1);
    }
    if (!part.confirmed) throw engineErrorOf('Code: 319. DB::Exception: Unknown quorum status');
  }

  /** Fetches the next missing part; returns whether one was fetched or none is missing. */
  bringNext(copy: Copy): boolean {
    const part = this.#parts.find((one) => !copy.parts.has(one));
    if (part === undefined) return true;
    // A copy that cannot be written is no source for others.
    const isStuck = (replica: number): boolean => this.#copies.get(replica)?.isStuck === true;
    const source = [...part.holders].find((replica) => this.#cluster.replicas[replica]!.answers && !isStuck(replica));
    if (source !== undefined) {
      part.holders.add(copy.replica);
      part.confirmed ||= part.holders.size >= this.#cluster.quorum;
      copy.parts.add(part);
      return true;
    }
    // An unconfirmed part that no reachable replica has is dropped, and its token with it.
    const isGone = [...part.holders].every((replica) => !this.#cluster.replicas[replica]!.isUp || isStuck(replica));
    if (part.confirmed || !isGone) return false;
    this.#parts.splice(this.#parts.indexOf(part), 1);
    for (const other of this.#copies.values()) other.parts.delete(part);
    return true;
  }

  /** Fetches all missing parts; returns whether the copy is then complete. */
  bringAll(copy: Copy): boolean {
    while (this.countMissingParts(copy) > 0) if (!this.bringNext(copy)) return false;
    return true;
  }
}
