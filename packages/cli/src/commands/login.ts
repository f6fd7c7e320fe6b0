import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { ApiError, createClient } from '@millrace/client';
import { command } from '../command/command.js';
import { urlOf } from '../connection/client.js';
import { storeLogin } from '../connection/stored-logins.js';
import { Failure } from '../failure.js';

export const login = command({
  name: 'login',
  summary: 'Sign in, so that further commands need no token.',
  description:
    'Prints an address and a code. Open the address in a browser, sign in, and type the code: this command gets an expiring personal ' +
    'token with your rights. It is stored in ~/.config/millrace/logins.json, readable by you only.',
  options: {
    url: {
      type: 'text',
      short: 'U',
      metavar: 'URL',
      doc: 'Server URL. Default: MILLRACE_URL, AXIOM_URL, or http://127.0.0.1:8080.',
    },
    profile: {
      type: 'text',
      metavar: 'NAME',
      doc: 'Name for this login; other commands use it with --profile or MILLRACE_PROFILE.',
    },
    org: {
      type: 'text',
      short: 'O',
      metavar: 'ID',
      doc: 'Organization of commands that use this login. Default: that of the sign-in.',
    },
    for: {
      type: 'duration',
      min: 60_000,
      max: 30 * 24 * 3600_000,
      default: 12 * 3600_000,
      doc: 'How long the token works.',
    },
  },
  examples: [
    { command: 'millrace login --url https://logs.example.com', doc: 'For a working day' },
    {
      command: 'millrace login --profile prod --url https://logs.example.com',
      doc: 'Then millrace query --profile prod …',
    },
  ],
  run: async ({ io, options }) => {
    const url = urlOf(options, io);
    const client = createClient({ url });
    const interrupted = io.interruption();
    const name = `millrace on ${hostname()}`.slice(0, 100);
    const started = await client.call('startDevice', { body: { name, seconds: Math.round(options.for / 1000) } });
    const { deviceCode, userCode, path, interval } = started;
    await io.err.write(`Open ${url}${path} and type the code ${userCode}\n`);
    for (;;) {
      await setTimeout(interval * 1000, undefined, { signal: interrupted });
      const answer = await client.call('getDeviceToken', { body: { deviceCode } }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404)
          throw new Failure('failed', 'the code was denied or has expired; run millrace login again');
        // Too many requests, or the server restarts.
        if (error instanceof ApiError && error.status !== 429 && error.status < 500) throw error;
        return undefined;
      });
      if (answer?.id === undefined || answer.token === undefined || answer.expires === undefined) continue;
      const { id, token, expires } = answer;
      const file = storeLogin(io, {
        url,
        id,
        token,
        expires,
        ...(options.profile !== undefined && { profile: options.profile }),
        ...(options.org !== undefined && { org: options.org }),
      });
      await io.err.write(`Signed in until ${expires}; the token is in ${file}\n`);
      return 'done';
    }
  },
});
