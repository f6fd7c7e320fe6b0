/** The database cannot be used; the message is for the operator. */
export class PostgresUnfit extends Error {
  override readonly name = 'PostgresUnfit';
}
