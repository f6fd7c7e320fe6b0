import { httpError } from '../errors.js';

/** @throws HttpError `invalid-events` if there is a problem with a body as a whole */
export function refuseIf(problem: string | undefined): void {
  if (problem !== undefined) throw httpError('invalid-events', { problem });
}
