import { Field } from './field';
import { hashAll } from './hash';
import { collided, field as hostField, key as hostKey, known, longKey } from './host';
import { forgetKept, takeKept } from './arena';
import { KnownField, currentBody } from './known-field';
import { equalBytes } from './memory';
import { readText, textAt, textLength } from './text';

/** Roles of a name: how its values are treated. The host has the same table. */
export const PLAIN: i32 = 0;
/** A map field: an object is stored verbatim. */
export const MAP: i32 = 1;
/** The event's time, and `_time` where another field is declared to supply it. */
export const TIME: i32 = 2;
export const DEFAULT_TIME: i32 = 3;
/** A name over the limit. */
export const TOO_LONG: i32 = 4;
/**
 * A name that exceeds the number of names per body: its values go into one field for all such
 * names.
 */
export const OTHER: i32 = 5;
/** Such a name that names which are not beyond begin with: its objects are flattened as usual. */
export const PASSAGE: i32 = 6;

/**
 * Roles in an envelope: the event, an object of more fields, a field if the event has no value of
 * that name, an omitted member; and the root of the envelope.
 */
export const EVENT: i32 = 7;
export const MORE: i32 = 8;
export const ASIDE: i32 = 9;
export const LEFT_OUT: i32 = 10;
export const ENVELOPE: i32 = 11;

/** A key under its parents: one position in the shape of the events. */
export class KeyNode {
  id: i32;
  /** The id of the node above, −1 for a root. */
  parent: i32;
  role: i32;
  hash: u32;
  /**
   * The key as written in the source, including the closing quote; length 0 if it is not retained.
   */
  key: usize;
  keyLength: usize;
  /**
   * Predictions, as similar events repeat: the key that came first in the last object here, and the
   * key that last followed this one.
   */
  first: KeyNode | null;
  next: KeyNode | null;
  /**
   * The field, looked up at the first value in a body that needs it, and the body of that lookup.
   */
  private fieldOfBody: Field | null;
  private body: u64;
  /** Its retained data. */
  private known: KnownField | null;

  get address(): usize {
    return changetype<usize>(this);
  }

  get field(): Field {
    if (this.body != currentBody()) {
      this.fieldOfBody = this.findField();
      this.body = currentBody();
    }
    return this.fieldOfBody!;
  }

  private findField(): Field {
    const known = this.known;
    if (known != null) {
      const present = known.field;
      if (present != null) return present;
    }
    const field = changetype<Field>(hostField(this.id));
    this.known = changetype<KnownField>(field.known);
    return field;
  }

  /**
   * Whether the key at `at`, just after its opening quote, is this one; never true for a node whose
   * key is not retained.
   */
  matches(at: usize): bool {
    return this.keyLength > 0 && equalBytes(this.key, at, this.keyLength);
  }
}

/** Probes before the host is called; bounds the cost of crafted collisions. */
const MAX_PROBES: i32 = 32;

/** A hash table of every key met since keys were last cleared, by its raw bytes. */
let slots: usize = 0;
let mask: u32 = 0;
let nodes: i32 = 0;
let hasCollided: bool = false;
/** Represents every key that is too long to retain. */
let longNode: KeyNode = changetype<KeyNode>(0);
let longestRaw: usize = 0;
/** The address after the closing quote of the key that {@link findKey} found. */
let behind: usize = 0;

/** A body begins; names are at most `longestName` bytes long. */
export function beginKeys(longestName: usize): void {
  // Every byte of a name may be written as \u00xx.
  longestRaw = 6 * longestName + 1;
}

/**
 * Clears all keys. After a body whose keys did not all fit (`hasSpilled`), this must be called
 * before the next one.
 */
export function forgetKeys(): void {
  forgetKept();
  slots = takeSlots(128);
  nodes = 0;
  hasCollided = false;
  longNode = newNode(-1, -1, TOO_LONG, 0, 0, 0);
}

/**
 * Makes a root, to which no key leads; keys below different roots are different and are predicted
 * separately.
 */
export function newRoot(ofEnvelope: bool): usize {
  return newNode(nodes++, -1, ofEnvelope ? ENVELOPE : PLAIN, 0, 0, 0).address;
}

/** Created without `new`, because it must be in retained memory. */
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

/** The node of the key at `at`, just after its opening quote; null after a failure. */
export function findKey(parent: KeyNode, at: usize): KeyNode | null {
  const next = readText(at);
  if (next == 0) return null;
  behind = next;
  const length = next - at;
  // Not worth retaining: names over the limit may all be different.
  if (length > longestRaw) {
    longKey(parent.id, textAt(), textLength());
    // The key that followed another long key predicts nothing here, and may belong to another
    // parent.
    longNode.next = null;
    return longNode;
  }
  const hash = hashAll(at, length, parent.id);
  let slot = hash & mask;
  for (let probes = 0; probes < MAX_PROBES; probes++) {
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

/** Makes a node for the key whose text was read last. */
function addKey(parent: KeyNode, at: usize, length: usize, hash: u32): KeyNode {
  const role = hostKey(parent.id, textAt(), textLength());
  const key = takeKept(length);
  memory.copy(key, at, length);
  const node = newNode(nodes++, parent.id, role, hash, key, length);
  // Above half full, some runs exceed the maximum number of probes.
  if (<u32>nodes * 4 > mask) rehash();
  enter(node);
  return node;
}

/** Gives the node a slot, or tells the host that too many hashes collide. */
function enter(node: KeyNode): void {
  let slot = node.hash & mask;
  for (let probes = 0; probes < MAX_PROBES; probes++) {
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
