import { httpError } from '@millrace/api/errors';

/** @throws HttpError `invalid-events` if there is a problem with the complete body */
export function refuseIf(problem: string | undefined): void {
  if (problem !== undefined) throw httpError('invalid-events', { problem });
}
