/** The bytes are malformed; all following bytes are unusable. */
export class CorruptDataError extends Error {
  override readonly name = 'CorruptDataError';
}
