import type { ErrorCode } from '@millrace/api/errors';
import type { Settings } from '../settings/settings.js';
import type { Route } from '../route.js';

/** Maximum length of a body, and the error for a longer one. */
export interface BodyLimit {
  readonly bytes: number;
  readonly code: Extract<ErrorCode, 'body-too-large' | 'json-too-large'>;
}

/** The limit of a route: events can be sent in several requests, anything else cannot. */
export const bodyLimitOf = (route: Route | undefined, { maxJsonBodyBytes }: Settings): BodyLimit =>
  route?.maxBodyBytes === undefined
    ? { bytes: maxJsonBodyBytes, code: 'json-too-large' }
    : { bytes: route.maxBodyBytes, code: 'body-too-large' };
