/** Ring buffer of the newest events. Evicts by number and size, and counts evictions. */
interface Ring {
  /** Number of the oldest event in the buffer; events are counted from 0. */
  readonly first: () => number;
  /** Number of the next event. */
  readonly next: () => number;
  push(line: string): void;
  /** Events by number, without evicted ones. */
  slice(from: number, to: number): readonly string[];
  clear(): void;
}

interface Limits {
  readonly events: number;
  /** Total characters: one event may be larger than a thousand others. */
  readonly letters: number;
}

/** At a hundred bytes each this is 5 MB; the second limit is for large ones. */
const ringLimits: Limits = { events: 50_000, letters: 64 * 1024 * 1024 };

export function createRing(limits: Limits = ringLimits): Ring {
  // Slots are reused after `events` others; nothing is moved.
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
      // The newest stays at any size.
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
