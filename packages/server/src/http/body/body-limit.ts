import type { ErrorCode } from '../../errors.js';
import type { Settings } from '../../settings/settings.js';
import type { Route } from '../route.js';

/** How long a body may be, and the error for one that is longer. */
export interface BodyLimit {
  readonly bytes: number;
  readonly code: Extract<ErrorCode, 'body-too-large' | 'json-too-large'>;
}

/** The limit of a route: events can be sent in several requests, anything else cannot. */
export const bodyLimitOf = (route: Route | undefined, { maxJsonBodyBytes }: Settings): BodyLimit =>
  route?.maxBodyBytes === undefined
    ? { bytes: maxJsonBodyBytes, code: 'json-too-large' }
    : { bytes: route.maxBodyBytes, code: 'body-too-large' };
