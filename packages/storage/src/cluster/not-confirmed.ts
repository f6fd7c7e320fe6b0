/** The engine did not confirm events in time. They may be stored, now or later. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
  /**
   * The only position where the events may be stored. Without one, this attempt stores nothing, but
   * an earlier one of the same request may have.
   */
  readonly position: bigint | undefined;

  constructor(position?: bigint) {
    super();
    this.position = position;
  }
}

/** The position of a batch was fenced, and the engine has no row of it. */
export class PositionFencedError extends Error {
  override readonly name = 'PositionFencedError';
}
