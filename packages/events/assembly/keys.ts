import { Field } from './field';
import { hashAll } from './hash';
import { collided, field as hostField, key as hostKey, known, longKey } from './host';
import { equalBytes, take, takeZeros } from './memory';
import { readText, textAt, textLength } from './text';

/** What is special about the values of a name; the host has the same table. */
export const PLAIN: i32 = 0;
/** Kept whole if an object. */
export const MAP: i32 = 1;
/** The event's time, and `_time` where another field is declared to supply it. */
export const TIME: i32 = 2;
export const DEFAULT_TIME: i32 = 3;
/** A name over the limit. */
export const TOO_LONG: i32 = 4;

/** A key under its parents: one position in the shape of the events. */
export class KeyNode {
  readonly id: i32;
  readonly parent: i32;
  readonly role: i32;
  readonly hash: u32;
  /** The key as it stands in the source, closing quote included; length 0 if it is not kept. */
  readonly key: usize;
  readonly keyLength: usize;
  /** The key that came first in the last object here, and the one that followed this key. Events of one kind repeat. */
  first: KeyNode | null = null;
  next: KeyNode | null = null;
  /** Found at the first value that needs it. */
  private known: Field | null = null;

  constructor(id: i32, parent: i32, role: i32, hash: u32, key: usize, keyLength: usize) {
    this.id = id;
    this.parent = parent;
    this.role = role;
    this.hash = hash;
    this.key = key;
    this.keyLength = keyLength;
  }

  get address(): usize {
    return changetype<usize>(this);
  }

  get field(): Field {
    let field = this.known;
    if (field == null) this.known = field = changetype<Field>(hostField(this.id));
    return field;
  }

  /** Whether the key that begins behind the quote before `at` is this one; never for a node whose key is not kept. */
  matches(at: usize): bool {
    return this.keyLength > 0 && equalBytes(this.key, at, this.keyLength);
  }
}

/** Slots looked at before the host is asked, whom made-up collisions cannot slow down. */
const MOST_PROBES: i32 = 32;

/** Every key met in a body, found by its raw bytes. */
let slots: usize = 0;
let mask: u32 = 0;
let nodes: i32 = 0;
let hasCollided: bool = false;
let longestRaw: usize = 0;
/** Behind the closing quote of the key {@link findKey} found. */
let behind: usize = 0;

/** A body begins; names are at most so many bytes long. */
export function beginKeys(longestName: usize): void {
  // Every byte of a name may be written as \u00xx.
  longestRaw = 6 * longestName + 1;
  slots = takeZeros(128 << 2);
  mask = 127;
  nodes = 0;
  hasCollided = false;
}

/** A node that no key leads to: one above top-level keys, of which separate ones predict separately, or a column of CSV. */
export function newNode(role: i32): KeyNode {
  return new KeyNode(nodes++, -1, role, 0, 0, 0);
}

export function behindKey(): usize {
  return behind;
}

/** The node of the key that begins behind the quote before `at`; null after a failure. */
export function findKey(parent: KeyNode, at: usize): KeyNode | null {
  const next = readText(at);
  if (next == 0) return null;
  behind = next;
  const length = next - at;
  // Not worth remembering: names over the limit may all be different.
  if (length > longestRaw) {
    longKey(parent.id, textAt(), textLength());
    return new KeyNode(-1, parent.id, TOO_LONG, 0, 0, 0);
  }
  const hash = hashAll(at, length, parent.id);
  let slot = hash & mask;
  for (let probes = 0; probes < MOST_PROBES; probes++) {
    const address = load<u32>(slots + ((<usize>slot) << 2));
    if (address == 0) break;
    const node = changetype<KeyNode>(address);
    if (node.hash == hash && isKey(node, parent, at, length)) return node;
    slot = (slot + 1) & mask;
  }
  if (hasCollided) {
    const address = known(parent.id, at, length);
    if (address != 0) return changetype<KeyNode>(address);
  }
  return addKey(parent, at, length, hash);
}

function isKey(node: KeyNode, parent: KeyNode, at: usize, length: usize): bool {
  return node.parent == parent.id && node.keyLength == length && equalBytes(node.key, at, length);
}

/** Gives the key whose text was read last a node. */
function addKey(parent: KeyNode, at: usize, length: usize, hash: u32): KeyNode {
  const role = hostKey(parent.id, textAt(), textLength());
  const key = take(length);
  memory.copy(key, at, length);
  const node = new KeyNode(nodes++, parent.id, role, hash, key, length);
  if (<u32>nodes * 2 > mask) rehash();
  enter(node);
  return node;
}

/** Gives the node a slot, or tells the host that there are too many with its hash. */
function enter(node: KeyNode): void {
  let slot = node.hash & mask;
  for (let probes = 0; probes < MOST_PROBES; probes++) {
    const place = slots + ((<usize>slot) << 2);
    if (load<u32>(place) == 0) {
      store<u32>(place, <u32>node.address);
      return;
    }
    slot = (slot + 1) & mask;
  }
  hasCollided = true;
  collided(node.address, node.parent, node.key, node.keyLength);
}

function rehash(): void {
  const old = slots;
  const count = mask + 1;
  slots = takeZeros(((<usize>count) << 2) * 4);
  mask = count * 4 - 1;
  for (let slot: u32 = 0; slot < count; slot++) {
    const address = load<u32>(old + ((<usize>slot) << 2));
    if (address != 0) enter(changetype<KeyNode>(address));
  }
}
