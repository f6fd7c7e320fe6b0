import { Type } from 'typebox';
import { withTitle } from './parts.js';

const time = (description: string) => Type.String({ format: 'date-time', description });

const session = {
  id: Type.String(),
  created: time('When it began.'),
  expires: time('Expiry time; using the session extends it.'),
  tokenId: Type.String({ description: 'ID of the token that signed in. The session has its rights and ends with it.' }),
  tokenName: Type.String(),
};

export const StartedSession = withTitle('StartedSession', Type.Object(session));

export const Session = withTitle(
  'Session',
  Type.Object({
    ...session,
    lastUsed: time('Time of the last request.'),
    userId: Type.String({ description: 'The user who owns the personal token, or who created the API token.' }),
    address: Type.String({ description: 'Address of the client at sign-in.' }),
    userAgent: Type.String({ description: 'User agent of the browser.' }),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  }),
);

export const SignInCode = withTitle(
  'SignInCode',
  Type.Object({
    code: Type.String({ description: 'One-time code that signs in a browser.' }),
    expires: time('Expiry time.'),
    path: Type.String({ description: 'Path to open in a browser: `/console/#code=…`.' }),
  }),
);
