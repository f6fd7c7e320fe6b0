import type { ErrorForm } from '../http/errors/error-form.js';

/** For programs that read nothing but the status: errors as everywhere else. */
export const usualErrors: ErrorForm = {
  doc: 'Errors are those of the native routes.',
  mediaType: 'application/json',
  say: () => undefined,
};
