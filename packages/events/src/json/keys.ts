import { GrowingBytes, type Arena } from '../columns/bytes.js';
import { equalBytes } from '../columns/dictionary.js';
import type { Column } from '../columns/column.js';
import type { Field } from '../columns/field.js';
import type { Role } from '../roles.js';
import { sameLength, type Source } from './source.js';
import { readText } from './text.js';

/** Values compared for nothing before a key is thought not to repeat itself. */
const FIRST_CREDIT = 32;
/** How many of them a repeat makes up for: it saves about as much as they cost. */
const REPEAT_CREDIT = 4;

/** A key under its parents: one position in the shape of the events. */
export class KeyNode {
  readonly id: number;
  /** The dotted name as sent, '' for the root. */
  readonly name: string;
  readonly role: Role;
  /** The key as it stands in the source, closing quote included: where in the table's bytes, and how long. */
  keyStart = 0;
  keyLength = 0;
  /** The key that came first in the last object here, and the one that followed this key. Events of one kind repeat. */
  first: KeyNode | undefined;
  next: KeyNode | undefined;
  /** Found at the first value that needs it. */
  field: Field | undefined;
  /** Where the key stood when its value was read last, and how many bytes from there on are worth comparing: all to behind the value, or four at least. */
  #at = 0;
  kept = 0;
  /** Falls with every value compared for nothing and rises with every repeat; below 1 values are not compared any more. */
  credit = FIRST_CREDIT;
  /** The column that took that value, if it may be repeated. */
  column: Column | undefined;

  constructor(id: number, name: string, role: Role) {
    this.id = id;
    this.name = name;
    this.role = role;
  }

  /** The key was read at `at`; `length` bytes from there on say that `column` takes the same value again. */
  keep(at: number, length: number, column: Column | undefined): void {
    this.#at = at;
    this.kept = this.keyLength === 0 ? 0 : Math.max(length, this.keyLength, 4);
    if (this.column !== column) this.column = column;
  }

  /** The value was repeated. */
  repeated(): void {
    this.credit += REPEAT_CREDIT;
  }

  /** How many of the `kept` bytes stand at `at` again, or -1 if that is another key. */
  same(source: Source, at: number): number {
    if (this.kept === 0 || at + this.kept > source.end) return -1;
    const same = sameLength(source.view, this.#at, at, this.kept);
    return same >= this.keyLength ? same : -1;
  }
}

/** What is told of a name that is too long to be kept, in bytes. */
const SHORTENED = 64;
/** Slots looked at before a key goes to the fallback map, which made-up collisions cannot slow down. */
const MOST_PROBES = 32;

/** Plain numbers: a body of one event has the table to itself, and memory outside of the heap costs more than all its keys. */
function noneOf(slots: number): number[] {
  const none: number[] = [];
  while (none.length < slots) none.push(0);
  return none;
}
const fewSlots = noneOf(64);

/** Every key met in a batch, found by its raw bytes without making a string. */
export class KeyTable {
  readonly #roleOf: (name: string) => Role;
  readonly #longestRaw: number;
  readonly #keys: GrowingBytes;
  readonly #scratch: GrowingBytes;
  readonly #nodes: KeyNode[] = [];
  readonly #hashes: number[] = [];
  readonly #parents: number[] = [];
  readonly #collided = new Map<string, KeyNode>();
  #slots = fewSlots.slice();
  /** Behind the closing quote of the key {@link find} found. */
  position = 0;

  /** `longestName` is the limit in bytes; `roleOf` says what is special about a dotted name within it. */
  constructor(arena: Arena, longestName: number, roleOf: (name: string) => Role) {
    this.#roleOf = roleOf;
    // Every byte of a name may be written as \u00xx.
    this.#longestRaw = 6 * longestName + 1;
    this.#keys = new GrowingBytes(arena);
    this.#scratch = new GrowingBytes(arena);
  }

  /** A node above top-level keys. Separate roots predict separately. */
  root(): KeyNode {
    return this.#node('', 'plain', -1, 0);
  }

  /** Whether the key that begins behind the quote before `at` is this one; never for a node whose key is not kept. */
  matches(node: KeyNode, source: Source, at: number): boolean {
    return (
      node.keyLength > 0 &&
      at + node.keyLength <= source.end &&
      equalBytes(this.#keys.view, this.#keys.start + node.keyStart, source.view, at, node.keyLength)
    );
  }

  /** The node of the key that begins behind the quote before `at`; undefined after `source.fail`. */
  find(parent: KeyNode, source: Source, at: number): KeyNode | undefined {
    const { buffer: bytes } = source;
    let hash = Math.imul(SEED ^ parent.id, 0x9e3779b1 | 0);
    let i = at;
    for (let byte = bytes[i]!; byte !== 0x22; byte = bytes[i]!) {
      if (!(byte >= 0x20)) break;
      hash = Math.imul(hash ^ byte, 0x01000193);
      hash ^= hash >>> 15;
      if (byte === 0x5c) i++;
      i++;
    }
    const length = i + 1 - at;
    if (i < source.end && length <= this.#longestRaw) {
      const mask = this.#slots.length - 1;
      let slot = hash & mask;
      for (let probes = 0; probes < MOST_PROBES; probes++) {
        const id = this.#slots[slot]! - 1;
        if (id < 0) break;
        const node = this.#nodes[id]!;
        if (
          this.#hashes[id] === hash &&
          this.#parents[id] === parent.id &&
          node.keyLength === length &&
          this.matches(node, source, at)
        ) {
          this.position = at + length;
          return node;
        }
        slot = (slot + 1) & mask;
      }
    }
    return this.#add(parent, source, at, hash);
  }

  #add(parent: KeyNode, source: Source, at: number, hash: number): KeyNode | undefined {
    this.#scratch.clear();
    const next = readText(source, at, this.#scratch);
    if (next < 0) return undefined;
    this.position = next;
    const isTop = this.#parents[parent.id] === -1;
    const length = next - at;
    // Not worth remembering: names over the limit may all be different.
    if (length > this.#longestRaw) {
      const beginning = this.#scratchText(SHORTENED);
      return new KeyNode(-1, `${isTop ? '' : `${parent.name}.`}${beginning}…`, 'too-long');
    }
    const known = this.#collided.size === 0 ? undefined : this.#collided.get(rawKey(parent.id, source, at, next));
    if (known !== undefined) return known;
    // Most keys mean what they say.
    const key = hasEscape(source.buffer, at, next) ? this.#scratchText() : source.text.toString('utf8', at, next - 1);
    const name = isTop ? key : `${parent.name}.${key}`;
    const node = this.#node(name, this.#roleOf(name), parent.id, hash);
    node.keyStart = this.#keys.end - this.#keys.start;
    node.keyLength = length;
    this.#keys.pushFrom(source, at, length);
    if (!this.#enter(node.id)) this.#collided.set(rawKey(parent.id, source, at, next), node);
    if (this.#nodes.length * 2 > this.#slots.length) this.#rehash();
    return node;
  }

  #scratchText(most = Infinity): string {
    const { buffer, start, cursor } = this.#scratch;
    return Buffer.from(buffer.buffer, start, Math.min(most, cursor - start)).toString();
  }

  #node(name: string, role: Role, parent: number, hash: number): KeyNode {
    const node = new KeyNode(this.#nodes.length, name, role);
    this.#nodes.push(node);
    this.#parents.push(parent);
    this.#hashes.push(hash);
    return node;
  }

  /** Gives the node a slot; false when there are too many with its hash. */
  #enter(id: number): boolean {
    const mask = this.#slots.length - 1;
    let slot = this.#hashes[id]! & mask;
    for (let probes = 0; probes < MOST_PROBES; probes++) {
      if (this.#slots[slot] === 0) {
        this.#slots[slot] = id + 1;
        return true;
      }
      slot = (slot + 1) & mask;
    }
    return false;
  }

  #rehash(): void {
    this.#slots = noneOf(4 * this.#slots.length);
    for (let id = 0; id < this.#nodes.length; id++) {
      const node = this.#nodes[id]!;
      if (node.keyLength === 0 || this.#enter(id)) continue;
      const raw = Buffer.from(this.#keys.buffer.buffer, this.#keys.start + node.keyStart, node.keyLength).toString(
        'latin1',
      );
      this.#collided.set(`${this.#parents[id]} ${raw}`, node);
    }
  }
}

function hasEscape(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] === 0x5c) return true;
  return false;
}

/** A key as it stands in the source, closing quote included, under its parent. */
function rawKey(parent: number, source: Source, at: number, next: number): string {
  return `${parent} ${source.text.toString('latin1', at, next)}`;
}

/** Differs from process to process, so that nobody can prepare collisions. */
const SEED = (Math.random() * 0x100000000) | 0;
