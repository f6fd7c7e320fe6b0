import { Type } from 'typebox';
import { named } from './parts.js';

const time = (description: string) => Type.String({ format: 'date-time', description });

const session = {
  id: Type.String(),
  created: time('When it began.'),
  expires: time('When it ends, unless it is used again before.'),
  tokenId: Type.String({ description: 'The token that it began with; it may do what that may, and ends with it.' }),
  tokenName: Type.String(),
};

export const StartedSession = named('StartedSession', Type.Object(session));

export const Session = named(
  'Session',
  Type.Object({
    ...session,
    lastUsed: time('Of requests.'),
    userId: Type.String({ description: 'Whose personal token it is, or who made the API token.' }),
    address: Type.String({ description: 'Where the sign-in came from.' }),
    userAgent: Type.String({ description: 'What the browser called itself.' }),
    current: Type.Boolean({ description: 'It is the one that asks.' }),
  }),
);

export const SignInCode = named(
  'SignInCode',
  Type.Object({
    code: Type.String({ description: 'Signs one browser in, once.' }),
    expires: time('When it stops working.'),
    path: Type.String({ description: 'What a browser has to open on this server: `/console/#code=…`.' }),
  }),
);
