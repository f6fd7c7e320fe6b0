/** The bytes are not of the format, so nothing after them can be trusted. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}
