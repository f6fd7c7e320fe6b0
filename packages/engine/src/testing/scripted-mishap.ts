/** What happens to a statement instead of, or besides, its execution. */
export type Mishap =
  /** Nothing reaches the replica. */
  | 'refused'
  /** The connection breaks before the statement is executed, which it never is. */
  | 'cut before'
  /** The connection breaks, and the statement is executed later. */
  | 'cut, executed later'
  /** It is executed, and nobody hears of it. */
  | 'cut after'
  /** Only the rows of the first partition come in. */
  | 'half, then 999'
  /** The replica has the rows, and Keeper does not: it is shown until it looks what Keeper has. */
  | 'without Keeper'
  /** It arrives later, and its answer with it. */
  | { readonly held: Promise<void> }
  | { readonly error: 'Code: 16' | 'Code: 242' | 'Code: 252' | 'Code: 285' | 'Code: 341' | 'Code: 517' | 'Code: 999' };
