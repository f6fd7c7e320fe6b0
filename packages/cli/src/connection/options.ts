import type { Options } from '../command/option.js';

/** Where a server is that nobody told to be elsewhere. */
export const defaultUrl = 'http://127.0.0.1:8080';

/** How commands find their server. */
export const connectionOptions = {
  url: {
    type: 'text',
    short: 'U',
    metavar: 'URL',
    doc: 'Server to talk to; or MILLRACE_URL, or AXIOM_URL; http://127.0.0.1:8080 if none is set.',
  },
  token: { type: 'text', short: 'T', metavar: 'TOKEN', doc: 'Token to use; or MILLRACE_TOKEN, or AXIOM_TOKEN.' },
  org: {
    type: 'text',
    short: 'O',
    metavar: 'ID',
    doc: 'Organisation, for servers that have several; or MILLRACE_ORG_ID, or AXIOM_ORG_ID.',
  },
} as const satisfies Options;

/**
 * Variables of the environment that commands read as a client; they are no settings of the server.
 */
export const clientVariables = ['MILLRACE_URL', 'MILLRACE_TOKEN', 'MILLRACE_ORG_ID'] as const;
