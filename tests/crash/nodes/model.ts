/** Batches that were sent, and the clients' knowledge of them. */

export interface Batch {
  readonly id: string;
  readonly dataset: string;
  readonly count: number;
  readonly key?: string;
  /** Fields that no other batch has. */
  readonly fields: readonly string[];
  fate: 'sent' | 'acknowledged' | 'unknown';
}

export const bodyOf = ({ id, count, fields }: Batch): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({ batch: id, n, ...Object.fromEntries(fields.map((name) => [name, n])) })),
  );

/** Sum of `n` over all events. */
export const sumOf = ({ count }: Batch): number => (count * (count - 1)) / 2;
