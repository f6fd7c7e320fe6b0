import { Field } from './field';
import { hashAll } from './hash';
import { collided, field as hostField, key as hostKey, known, longKey } from './host';
import { forgetKept, takeKept } from './kept';
import { equalBytes } from './memory';
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
  id: i32;
  /** The id of the node above, −1 for a root. */
  parent: i32;
  role: i32;
  hash: u32;
  /** The key as it stands in the source, closing quote included; length 0 if it is not kept. */
  key: usize;
  keyLength: usize;
  /** The key that came first in the last object here, and the one that followed this key. Events of one kind repeat. */
  first: KeyNode | null;
  next: KeyNode | null;
  /** The field, found at the first value of a body that needs it, and in which body that was. */
  private fieldOfBody: Field | null;
  private body: u64;

  get address(): usize {
    return changetype<usize>(this);
  }

  get field(): Field {
    if (this.body != body) {
      this.body = body;
      this.fieldOfBody = changetype<Field>(hostField(this.id));
    }
    return this.fieldOfBody!;
  }

  /** Whether the key that begins behind the quote before `at` is this one; never for a node whose key is not kept. */
  matches(at: usize): bool {
    return this.keyLength > 0 && equalBytes(this.key, at, this.keyLength);
  }
}

/** Slots looked at before the host is asked, whom made-up collisions cannot slow down. */
const MOST_PROBES: i32 = 32;

/** Every key met since all were forgotten, found by its raw bytes. */
let slots: usize = 0;
let mask: u32 = 0;
let nodes: i32 = 0;
let hasCollided: bool = false;
/** Stands for every key that is too long to be kept. */
let longNode: KeyNode = changetype<KeyNode>(0);
/** Counts bodies. */
let body: u64 = 0;
let longestRaw: usize = 0;
/** Behind the closing quote of the key {@link findKey} found. */
let behind: usize = 0;

/** A body begins; names are at most so many bytes long. */
export function beginKeys(longestName: usize): void {
  body++;
  // Every byte of a name may be written as \u00xx.
  longestRaw = 6 * longestName + 1;
}

/** No keys are known any more. After a body that could not keep all of its keys (`hasSpilled`) this has to come before the next one. */
export function forgetKeys(): void {
  forgetKept();
  slots = takeSlots(128);
  nodes = 0;
  hasCollided = false;
  longNode = newNode(-1, -1, TOO_LONG, 0, 0, 0);
}

/** No key leads to a root; keys below different ones are different, and predicted separately. */
export function newRoot(): usize {
  return newNode(nodes++, -1, PLAIN, 0, 0, 0).address;
}

/** Made by hand, where it is kept. */
function newNode(id: i32, parent: i32, role: i32, hash: u32, key: usize, keyLength: usize): KeyNode {
  const at = takeKept(offsetof<KeyNode>());
  memory.fill(at, 0, offsetof<KeyNode>());
  const node = changetype<KeyNode>(at);
  node.id = id;
  node.parent = parent;
  node.role = role;
  node.hash = hash;
  node.key = key;
  node.keyLength = keyLength;
  return node;
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
    // What followed another one says nothing, and may stand elsewhere.
    longNode.next = null;
    return longNode;
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
  const key = takeKept(length);
  memory.copy(key, at, length);
  const node = newNode(nodes++, parent.id, role, hash, key, length);
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
  slots = takeSlots(count * 4);
  for (let slot: u32 = 0; slot < count; slot++) {
    const address = load<u32>(old + ((<usize>slot) << 2));
    if (address != 0) enter(changetype<KeyNode>(address));
  }
}

function takeSlots(count: u32): usize {
  const bytes = (<usize>count) << 2;
  const empty = takeKept(bytes);
  memory.fill(empty, 0, bytes);
  mask = count - 1;
  return empty;
}
