/**
 * Expected error that replaces the content of a page section: the data does not fit. Not a bug, so
 * it is not logged.
 */
export class CannotShow extends Error {
  override readonly name = 'CannotShow';
}
