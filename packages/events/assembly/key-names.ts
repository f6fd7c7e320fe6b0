import { Bytes } from './bytes';
import { hashText } from './hash';
import { equalBytes, takeZeros } from './memory';

/**
 * The member names of open objects, innermost last, to find names that occur twice in one object.
 */

/** More than this the reader does not compare with one another; the writer does. */
const MAX_COMPARED: usize = 64 << 2;
/** The hash of the name of each member of the objects that are open. */
let names: Bytes = new Bytes(0);
/** For each open object but the innermost: where its names begin, and its `seen`. */
let objects: Bytes = new Bytes(0);
/** For the innermost object: a bit for each name that it has, which names may share. */
let first: usize = 0;
let seen: u64 = 0;
/** Those of objects that are being written, see `MEMBER`. */
let members: Bytes = new Bytes(0);

/** A value begins. */
export function clearNames(): void {
  names.clear();
  objects.clear();
}

/** A body begins. */
export function beginNames(): void {
  names = new Bytes(256);
  objects = new Bytes(128);
  members = new Bytes(256);
}

export function openNames(): void {
  objects.push64(<i64>first);
  objects.push64(<i64>seen);
  first = names.length;
  seen = 0;
}

export function closeNames(): void {
  names.end = names.start + first;
  objects.end -= 16;
  first = <usize>load<u64>(objects.end);
  seen = load<u64>(objects.end, 8);
}

/**
 * Adds the name of a member of the innermost object; whether the object has it already, or may
 * have.
 */
export function addName(at: usize, length: usize): bool {
  const hash = hashName(at, length);
  const bit: u64 = (<u64>1) << (<u64>(hash >> 26));
  if (names.length - first >= MAX_COMPARED || ((seen & bit) != 0 && hasHash(hash))) return true;
  seen |= bit;
  names.push32(hash);
  return false;
}

function hasHash(hash: u32): bool {
  const end = names.end;
  for (let i = names.start + first; i < end; i += 4) if (load<u32>(i) == hash) return true;
  return false;
}

/** A quick hash, of the ends of a name. One that is taken for another only costs time. */
function hashName(at: usize, length: usize): u32 {
  if (length < 8) return mixed((load<u64>(at) & (((<u64>1) << (length << 3)) - 1)) ^ ((<u64>length) << 56), 0);
  return mixed(load<u64>(at), load<u64>(at + length - 8) ^ length);
}

function mixed(left: u64, right: u64): u32 {
  return <u32>((left * 0x9e3779b97f4a7c15 + (right ^ (right >> 32)) * 0xff51afd7ed558ccd) >> 32);
}

/**
 * A member that has been written: the hash of its name, where it begins, how long its name is in
 * quotes, where it ends, each with four bytes.
 */
const MEMBER: usize = 16;

/** A value is written. */
export function clearMembers(): void {
  members.clear();
}

export function memberCount(): usize {
  return members.length;
}

/**
 * Adds a member whose name is the text from `at` on, in quotes, and which is written from `start`
 * to `end` of the output.
 */
export function addMember(start: usize, name: usize, end: usize, out: Bytes): void {
  members.push32(hashText(out.start + start, name));
  members.push32(<i32>start);
  members.push32(<i32>name);
  members.push32(<i32>end);
}

/**
 * Removes from the end of `out` the members, starting with number `from`, whose name occurs again
 * later, and clears all of them.
 */
export function keepLast(from: usize, out: Bytes): void {
  const count = (members.length - from) / MEMBER;
  if (count > 1 && (count <= FEW ? markOfFew(from, count, out) : markOthers(from, count, out)))
    compact(from, count, out);
  members.end = members.start + from;
}

function member(from: usize, index: usize): usize {
  return members.start + from + index * MEMBER;
}

/** So few members are compared with one another. */
const FEW: usize = 12;

function markOfFew(from: usize, count: usize, out: Bytes): bool {
  let found = false;
  for (let k: usize = 0; k + 1 < count; k++) {
    for (let other = k + 1; other < count; other++) {
      if (!sameName(member(from, k), member(from, other), out)) continue;
      store<u32>(member(from, k), 0, 12);
      found = true;
      break;
    }
  }
  return found;
}

/** Makes the end of a member 0 if another of its name follows; whether there is such a one. */
function markOthers(from: usize, count: usize, out: Bytes): bool {
  let size: usize = 8;
  while (size < count << 1) size <<= 1;
  const table = takeZeros(size << 2);
  let found = false;
  for (let k = count; k > 0; k--) {
    const one = member(from, k - 1);
    let slot = <usize>load<u32>(one) & (size - 1);
    while (true) {
      const other = load<u32>(table + (slot << 2));
      if (other == 0) {
        store<u32>(table + (slot << 2), <u32>k);
        break;
      }
      if (sameName(one, member(from, other - 1), out)) {
        store<u32>(one, 0, 12);
        found = true;
        break;
      }
      slot = (slot + 1) & (size - 1);
    }
  }
  return found;
}

function sameName(left: usize, right: usize, out: Bytes): bool {
  const length = load<u32>(left, 8);
  if (load<u32>(left) != load<u32>(right) || length != load<u32>(right, 8)) return false;
  return equalBytes(out.start + load<u32>(left, 4), out.start + load<u32>(right, 4), length);
}

function compact(from: usize, count: usize, out: Bytes): void {
  let to = out.start + load<u32>(member(from, 0), 4);
  let isFirst = true;
  for (let k: usize = 0; k < count; k++) {
    const one = member(from, k);
    const end = load<u32>(one, 12);
    if (end == 0) continue;
    if (!isFirst) store<u8>(to++, 0x2c);
    isFirst = false;
    const start = load<u32>(one, 4);
    memory.copy(to, out.start + start, end - start);
    to += end - start;
  }
  out.end = to;
}
