/** An input that cannot be read as events, with a message for the user. */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** `usage` if an option can correct it. */
  readonly exit: 'failed' | 'usage';

  constructor(exit: 'failed' | 'usage', message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.exit = exit;
  }
}
