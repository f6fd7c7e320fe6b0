import type { ErrorFormat } from '@millrace/http/errors/error-format';

/** Standard error format, for clients that read only the status. */
export const defaultErrors: ErrorFormat = {
  doc: 'Errors are those of the native routes.',
  mediaType: 'application/json',
  say: () => undefined,
};
