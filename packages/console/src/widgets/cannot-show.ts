/**
 * What a part of a page says instead of its content: the data is not what it needs. No fault of the
 * page, so nothing is logged.
 */
export class CannotShow extends Error {
  override readonly name = 'CannotShow';
}
