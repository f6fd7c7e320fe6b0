/**
 * The newest events of a tail, as they came. What is older than its limits allow goes, and its
 * number says how much that was.
 */
interface Ring {
  /** Number of the oldest event that is kept; events are counted from 0. */
  readonly first: () => number;
  /** Number of the event that comes next. */
  readonly next: () => number;
  push(line: string): void;
  /** Events by their numbers; those that are gone are left out. */
  slice(from: number, to: number): readonly string[];
  clear(): void;
}

interface Limits {
  readonly events: number;
  /** Letters of all of them together: one event may be larger than a thousand others. */
  readonly letters: number;
}

/** About a hundred bytes each would be 5 MB; the second limit is for those that are large. */
const ringLimits: Limits = { events: 50_000, letters: 64 * 1024 * 1024 };

export function createRing(limits: Limits = ringLimits): Ring {
  // A slot is used again after `events` others, so nothing is ever moved.
  let slots: string[] = [];
  let first = 0;
  let next = 0;
  let letters = 0;
  const drop = (): void => {
    const slot = first % limits.events;
    letters -= slots[slot]!.length;
    slots[slot] = '';
    first++;
  };
  return {
    first: () => first,
    next: () => next,
    push: (line) => {
      if (next - first === limits.events) drop();
      slots[next % limits.events] = line;
      letters += line.length;
      next++;
      // The newest stays, however large it is.
      while (letters > limits.letters && next - first > 1) drop();
    },
    slice: (from, to) => {
      const [start, end] = [Math.max(from, first), Math.min(to, next)];
      return Array.from({ length: Math.max(0, end - start) }, (_, index) => slots[(start + index) % limits.events]!);
    },
    clear: () => {
      slots = [];
      [first, next, letters] = [0, 0, 0];
    },
  };
}
