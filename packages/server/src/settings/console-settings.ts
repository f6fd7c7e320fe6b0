import type { SettingRecord } from './setting-types.js';
import { hour, minute } from './setting-units.js';

/** Settings of the console, the pages for people. */
export const consoleSettings = {
  console: {
    type: 'boolean',
    default: true,
    doc: 'Serve the console, the pages for people, at `/console/`.',
    reason:
      'Somebody who opens the address in a browser finds something. The pages themselves hold no secret, and nobody sees an event without a token.',
  },
  consoleDir: {
    type: 'text',
    default: undefined,
    doc: 'Directory of a built console to serve instead of the one that comes with the server.',
    reason: 'For those who change the console.',
  },
  consolePlainHttp: {
    type: 'boolean',
    default: false,
    doc: 'Let browsers of other machines sign in to the console over plain HTTP.',
    reason:
      'Everybody on the way could read the token and the cookie. On this machine it is allowed in any case, as nothing leaves it.',
  },
  sessionIdle: {
    type: 'duration',
    default: 12 * hour,
    min: minute,
    max: 30 * 24 * hour,
    doc: 'How long a browser stays signed in without a request.',
    reason: 'Over a lunch and a meeting; somebody who comes back the next day signs in again.',
  },
  sessionLongest: {
    type: 'duration',
    default: 30 * 24 * hour,
    min: minute,
    max: 30 * 24 * hour,
    doc: 'How long a browser stays signed in at most, also if it is used all the time.',
    reason: 'A cookie that was copied from somewhere is of no use for ever.',
  },
} as const satisfies Record<string, SettingRecord>;
