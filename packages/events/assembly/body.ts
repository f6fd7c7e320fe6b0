import { commitEvent, rollbackEvent } from './batch';
import { beginEnvelope, hasEvent, readObjectOf } from './event';
import { timeless } from './host';
import { ENVELOPE, KeyNode } from './keys';
import { clearOthers, storeOthers } from './other-fields';
import { fail, setSourceEnd, skipSpace } from './source';
import { eventTime, hasTime, isDeclaredWrong, resetTime } from './time';

/** The events of a body, one after another: how each begins and ends, and reading those of JSON. */

/** The roots of the keys of events and of labels. */
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

/** Sets a validated object whose members come before those of every event; its `{` is at `at`. */
export function setLabels(at: usize, end: usize): void {
  labels = at;
  labelsEnd = end;
}

/** Begins an event. Labels come first, so that later keys of the event win. */
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
 * Parses and stores the event whose `{` is at `at`, and the events that follow, separated by white
 * space and, in an array, a comma. Returns the address after the last consecutive event, or 0 if
 * the first is not valid JSON.
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
  // The next call parses the invalid event again and reports the error.
  if (end != 0) rollbackEvent();
  return end;
}
