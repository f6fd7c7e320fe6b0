/**
 * A block: the rows of one request as typed columns, each in ClickHouse's Native column encoding.
 */

export interface BlockColumn {
  /** Physical name: `<field>#<t>`, or one of the system columns `_time` and `_overflow`. */
  readonly name: string;
  /** ClickHouse type. */
  readonly type: string;
  /** The Native column body: serialization prefix if the type has one, null map, values. */
  readonly data: Uint8Array;
}

export interface Block {
  readonly rows: number;
  readonly columns: readonly BlockColumn[];
  /**
   * The whole block as `serializeBlock` writes it, if it is in memory in that form: the columns are
   * then views of it.
   */
  readonly serialized?: Uint8Array;
}
