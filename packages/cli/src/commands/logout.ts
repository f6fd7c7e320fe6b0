import { ApiError, createClient } from '@millrace/client';
import { command } from '../command/command.js';
import { profileOf } from '../connection/client.js';
import { findLogin, forgetLogin } from '../connection/stored-logins.js';
import { Failure } from '../failure.js';

export const logout = command({
  name: 'logout',
  summary: 'Delete the token of millrace login.',
  description: 'Here and on the server.',
  options: {
    url: { type: 'text', short: 'U', metavar: 'URL', doc: 'Server URL. Default: that of the last login.' },
    profile: { type: 'text', metavar: 'NAME', doc: 'Name of the login. Default: MILLRACE_PROFILE.' },
  },
  examples: [{ command: 'millrace logout', doc: 'Sign out of the last server' }],
  run: async ({ io, options }) => {
    const login = findLogin(io, { url: options.url?.replace(/\/+$/, ''), profile: profileOf(options, io) });
    if (login === undefined) throw new Failure('failed', 'no login is stored, or it has expired');
    const { url, token, id } = login;
    // A token that the server does not know any more is not needed.
    await createClient({ url, token })
      .call('deletePersonalToken', { params: { id } })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError && [401, 403, 404].includes(error.status))) throw error;
      });
    forgetLogin(io, login);
    await io.err.write(`Signed out of ${url}\n`);
    return 'done';
  },
});
