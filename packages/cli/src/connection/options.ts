import type { Options } from '../command/option.js';

export const defaultUrl = 'http://127.0.0.1:8080';

/** Options that select the server. */
export const connectionOptions = {
  url: {
    type: 'text',
    short: 'U',
    metavar: 'URL',
    doc: 'Server URL. Default: MILLRACE_URL, AXIOM_URL, or http://127.0.0.1:8080.',
  },
  token: { type: 'text', short: 'T', metavar: 'TOKEN', doc: 'Token to use; or MILLRACE_TOKEN, or AXIOM_TOKEN.' },
  org: {
    type: 'text',
    short: 'O',
    metavar: 'ID',
    doc: 'Organization ID. Default: MILLRACE_ORG_ID or AXIOM_ORG_ID.',
  },
  profile: {
    type: 'text',
    metavar: 'NAME',
    doc: 'Login of millrace login --profile NAME. Default: MILLRACE_PROFILE.',
  },
} as const satisfies Options;

/** Environment variables of the client; they are not server settings. */
export const clientVariables = ['MILLRACE_URL', 'MILLRACE_TOKEN', 'MILLRACE_ORG_ID', 'MILLRACE_PROFILE'] as const;
