/** What happens to a statement instead of, or in addition to, its execution. */
export type InjectedFault =
  /** The statement does not reach the replica. */
  | 'refused'
  /** The connection breaks before the statement, which is never executed. */
  | 'cut before'
  /** The connection breaks, and the statement is executed later. */
  | 'cut, executed later'
  /** It is executed, and its response is lost. */
  | 'cut after'
  /** Only the rows of the first partition are inserted. */
  | 'half, then 999'
  /**
   * The replica has the rows, and Keeper does not: they are shown until the replica compares its
   * parts with Keeper.
   */
  | 'without Keeper'
  /** It arrives later, and so does its response. */
  | { readonly delayedUntil: Promise<void> }
  | { readonly error: 'Code: 16' | 'Code: 242' | 'Code: 252' | 'Code: 285' | 'Code: 341' | 'Code: 517' | 'Code: 999' };
