/** How much of an object is stored: the number of its parts, or everything. */
export type ObjectState = number | 'complete';

/** Remembers which objects were read; a name is a hash of key and version. */
export interface ObjectLedger {
  /** States of those of the objects that were begun. The bucket has the objects now. */
  known(names: readonly string[]): Promise<ReadonlyMap<string, ObjectState>>;
  /** @throws Error when it is full */
  mark(name: string, state: ObjectState): Promise<void>;
  /** Call it after a complete listing: forgets objects that the bucket has not had for long. */
  forgetGone(): Promise<void>;
}
