import { setTimeout as sleep } from 'node:timers/promises';
import { engineErrorOf } from '../errors.js';
import type { ScriptedCluster } from './scripted-cluster.js';

/** Rows of one partition of one insert. */
interface Part {
  readonly name: string;
  readonly token: string;
  readonly rows: readonly number[];
  /** Replicas that have it on their disks. */
  readonly holders: Set<number>;
  /** Whether enough have had it: until then nobody was told that it is in. */
  confirmed: boolean;
}

/** A table as one replica has it. */
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

/** The rows of an insert, even ones and odd ones apart. */
export function partitionsIn(data: Iterable<Uint8Array>): readonly (readonly number[])[] {
  const rows = Buffer.concat([...data])
    .toString('utf8')
    .split(' ')
    .map(Number);
  return [0, 1].map((rest) => rows.filter((row) => row % 2 === rest)).filter((some) => some.length > 0);
}

/** How many looks an insert waits for its quorum. */
const quorumLooks = 20;

/**
 * What Keeper knows of a table: the parts there should be, and the tokens under which they came.
 */
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

  /** The disk of a copy is gone. */
  lost(copy: Copy): void {
    for (const part of this.#parts) part.holders.delete(copy.replica);
    copy.parts.clear();
  }

  /** How many parts a copy lacks. */
  missing(copy: Copy): number {
    return this.#parts.filter((part) => !copy.parts.has(part)).length;
  }

  /** A part is written on one replica, unless its token is known. */
  write(copy: Copy, token: string, rows: readonly number[]): Part {
    const known = this.#parts.find((part) => part.token === token);
    if (known !== undefined) return known;
    const part = this.#made(copy, token, rows);
    this.#parts.push(part);
    return part;
  }

  /** A part is written on one replica and shown there, and Keeper never hears of it. */
  writeUnexpected(copy: Copy, token: string, rows: readonly number[]): void {
    if (this.#parts.every((part) => part.token !== token)) this.#made(copy, token, rows);
  }

  /** A copy looks which of its parts Keeper knows, as at each start. */
  dropUnexpected(copy: Copy): void {
    for (const part of copy.parts) if (!this.#parts.includes(part)) copy.parts.delete(part);
  }

  #made(copy: Copy, token: string, rows: readonly number[]): Part {
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

  /** A copy gets the next part that it lacks; returns whether it got one or lacks none. */
  bringNext(copy: Copy): boolean {
    const part = this.#parts.find((one) => !copy.parts.has(one));
    if (part === undefined) return true;
    // Nobody gets anything from a copy that cannot be written.
    const isStuck = (replica: number): boolean => this.#copies.get(replica)?.isStuck === true;
    const source = [...part.holders].find((replica) => this.#cluster.replicas[replica]!.answers && !isStuck(replica));
    if (source !== undefined) {
      part.holders.add(copy.replica);
      part.confirmed ||= part.holders.size >= this.#cluster.quorum;
      copy.parts.add(part);
      return true;
    }
    // A part that was never confirmed and that no replica has that is there is given up, and its
    // token with it.
    const isGone = [...part.holders].every((replica) => !this.#cluster.replicas[replica]!.isUp || isStuck(replica));
    if (part.confirmed || !isGone) return false;
    this.#parts.splice(this.#parts.indexOf(part), 1);
    for (const other of this.#copies.values()) other.parts.delete(part);
    return true;
  }

  /** A copy gets all parts that it lacks; returns whether it has all. */
  bringAll(copy: Copy): boolean {
    while (this.missing(copy) > 0) if (!this.bringNext(copy)) return false;
    return true;
  }
}
