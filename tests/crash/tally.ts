/** Counts and findings of a campaign. */

/**
 * - `lost`: acknowledged or seen before, and missing now
 * - `duplicated`: stored more than once
 * - `torn`: only a part of a batch is stored
 * - `changed`: a value differs from the one that was sent
 * - `revived`: present although it was deleted, or was found absent before
 * - `unexpected`: a forbidden response, or a server exit that the test did not cause
 */
export type ViolationKind = 'lost' | 'duplicated' | 'torn' | 'changed' | 'revived' | 'unexpected';

export interface Violation {
  readonly kind: ViolationKind;
  readonly what: string;
}

export class Tally {
  readonly #began = performance.now();
  readonly #counts = new Map<string, number>();
  readonly #starts: number[] = [];
  readonly #engineGaps: number[] = [];
  readonly violations: Violation[] = [];

  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  violation(kind: ViolationKind, what: string): void {
    this.violations.push({ kind, what });
  }

  /** Records the time from the start of a process until it serves. */
  recordStart(milliseconds: number): void {
    this.#starts.push(milliseconds);
  }

  /** Records the time from the death of an engine until the server reports that it is healthy. */
  engineBack(milliseconds: number): void {
    this.#engineGaps.push(milliseconds);
  }

  get(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  line(cycle: number): string {
    const seconds = (performance.now() - this.#began) / 1000;
    return (
      `cycle ${cycle}: ${this.get('batches acknowledged')} batches acknowledged, ` +
      `${this.get('queries checked')} queries, ${this.violations.length} violations, ${(seconds / cycle).toFixed(1)} s a cycle`
    );
  }

  summary(cycles: number): string {
    const kinds: readonly ViolationKind[] = ['lost', 'duplicated', 'torn', 'changed', 'revived', 'unexpected'];
    const counts = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const found = kinds.map((kind) => [kind, this.violations.filter((one) => one.kind === kind).length] as const);
    const lines: readonly (readonly [string, string | number])[] = [
      ['cycles', cycles],
      ['seconds', Math.round((performance.now() - this.#began) / 1000)],
      ...counts,
      ['ms from start to serving', distribution(this.#starts)],
      ['ms without engine', distribution(this.#engineGaps)],
      ...found,
    ];
    const width = Math.max(...lines.map(([what]) => what.length));
    return lines.map(([what, value]) => `${what.padEnd(width)}  ${value}`).join('\n');
  }
}

function distribution(values: readonly number[]): string {
  if (values.length === 0) return 'none';
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))]!);
  return `median ${at(0.5)}, 99 of 100 ${at(0.99)}, longest ${at(1)}`;
}
