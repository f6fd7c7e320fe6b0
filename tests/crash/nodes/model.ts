/** Batches that were sent, and the clients' knowledge of them. */

export interface Batch {
  readonly id: string;
  readonly dataset: string;
  readonly count: number;
  readonly key?: string;
  /** Sent by the official JavaScript client, which repeats a request once and sends no key. */
  readonly isOfSdk?: boolean;
  /** Fields that no other batch has. */
  readonly fields: readonly string[];
  fate: 'sent' | 'acknowledged' | 'unknown';
}

export const eventsOf = ({ id, count, fields }: Batch): readonly object[] =>
  Array.from({ length: count }, (_, n) => ({ batch: id, n, ...Object.fromEntries(fields.map((name) => [name, n])) }));

export const bodyOf = (batch: Batch): string => JSON.stringify(eventsOf(batch));

/** Sum of `n` over all events. */
export const sumOf = ({ count }: Batch): number => (count * (count - 1)) / 2;
