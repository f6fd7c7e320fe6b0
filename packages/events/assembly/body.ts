import { commitEvent, rollbackEvent } from './batch';
import { beginEnvelope, hasEvent, readObjectOf } from './event';
import { timeless } from './host';
import { ENVELOPE, KeyNode } from './keys';
import { clearOthers, storeOthers } from './others';
import { fail, setSourceEnd, skipSpace } from './source';
import { eventTime, hasTime, isDeclaredWrong, resetTime } from './time';

/** The events of a body, one after another: how each begins and ends, and reading those of JSON. */

/** The roots of the keys of events and of those of labels. */
let root: KeyNode = changetype<KeyNode>(0);
let labelsRoot: KeyNode = changetype<KeyNode>(0);
let labels: usize = 0;
let labelsEnd: usize = 0;
let bodyEnd: usize = 0;
/** The `{` of the event read last. */
let lastEvent: usize = 0;

/** A body begins. */
export function beginBody(): void {
  labels = 0;
}

/** Sets the roots of the body's keys. */
export function setRoots(events: usize, ofLabels: usize): void {
  root = changetype<KeyNode>(events);
  labelsRoot = changetype<KeyNode>(ofLabels);
}

/** Sets where reading ends from now on. */
export function setEnd(end: usize): void {
  bodyEnd = end;
  setSourceEnd(end);
}

/**
 * Sets an object, already checked, whose members come before those of every event; its `{` is at
 * `at`.
 */
export function setLabels(at: usize, end: usize): void {
  labels = at;
  labelsEnd = end;
}

/** An event begins. Labels come first, so that its own keys win as later ones. */
export function beginEvent(): void {
  resetTime();
  clearOthers();
  if (labels == 0) return;
  setSourceEnd(labelsEnd);
  readObjectOf(labelsRoot, labels + 1);
  setSourceEnd(bodyEnd);
}

/** The event that begins at `at` has been read: it becomes a row, unless its time is invalid. */
export function endEvent(at: usize): void {
  if (hasTime()) {
    storeOthers();
    commitEvent(eventTime());
  } else timeless(at, isDeclaredWrong());
}

export function lastEventAt(): usize {
  return lastEvent;
}

/**
 * Reads and stores the event whose `{` is at `at`, and those that follow it, separated by white
 * space and, in an array, a comma. Returns the address after the last event before anything else,
 * or 0 if the first is not JSON.
 */
export function readEvents(at: usize, inArray: bool): usize {
  const events = root;
  const inEnvelopes = root.role == ENVELOPE;
  let start = at;
  let end: usize = 0;
  while (true) {
    beginEvent();
    if (inEnvelopes) beginEnvelope();
    let next = readObjectOf(events, start + 1);
    if (inEnvelopes && next != 0 && !hasEvent()) next = fail(start, 'an envelope with an event');
    if (next == 0) break;
    endEvent(start);
    lastEvent = start;
    end = next;
    start = skipSpace(next);
    if (inArray) {
      if (load<u8>(start) != 0x2c) return end;
      start = skipSpace(start + 1);
    }
    if (load<u8>(start) != 0x7b) return end;
  }
  // The next call reads the broken event again and reports what is wrong with it.
  if (end != 0) rollbackEvent();
  return end;
}
