import { Type } from 'typebox';
import { withTitle, optional } from './parts.js';

const time = (description: string) => Type.String({ format: 'date-time', description });

export const SignInMethods = withTitle(
  'SignInMethods',
  Type.Object({
    tokens: Type.String({ description: 'Whose tokens sign in: `all` or `owner`.' }),
    providers: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String({ description: 'Text of the button.' }),
        path: Type.String({ description: 'Page that starts the sign-in.' }),
        autoStart: Type.Boolean({ description: 'Whether to start it without a click.' }),
      }),
    ),
    proxy: optional(Type.String({ description: 'Name of the proxy that has signed this browser in.' })),
  }),
);

export const SignedOut = withTitle(
  'SignedOut',
  Type.Object({ url: optional(Type.String({ description: 'Page that signs out of the provider, if it is to.' })) }),
);

export const Identity = withTitle(
  'Identity',
  Type.Object({
    id: Type.String(),
    provider: Type.String({ description: 'ID of the provider in the sign-in file.' }),
    issuer: Type.String(),
    subject: optional(Type.String({ description: 'ID of the user at the provider. Absent for an invitation.' })),
    email: Type.String({ description: 'Address that the provider named last.' }),
    created: time('When it was linked.'),
    lastSignIn: optional(time('The last sign-in.')),
    expires: optional(time('End of an invitation.')),
  }),
);

export const LinkIdentity = withTitle(
  'LinkIdentity',
  Type.Object({
    provider: Type.String({ description: 'ID of a provider or proxy in the sign-in file.' }),
    subject: optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'ID of the user at the provider (`sub`). Without it, the user is invited for 7 days: the first sign-in with this provider and the verified address of the user is linked.',
      }),
    ),
  }),
);

export const StartDevice = withTitle(
  'StartDevice',
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the program and machine.' }),
    seconds: optional(
      Type.Integer({ minimum: 60, maximum: 2_592_000, description: 'Lifetime of the token. Default: 12 hours.' }),
    ),
  }),
);

export const StartedDevice = withTitle(
  'StartedDevice',
  Type.Object({
    deviceCode: Type.String({ description: 'For the program only.' }),
    userCode: Type.String({ description: 'What the user types at `path`.' }),
    path: Type.String(),
    expires: time('End of both codes.'),
    interval: Type.Integer({ description: 'Minimum seconds between requests for the token.' }),
  }),
);

export const DeviceToken = withTitle(
  'DeviceToken',
  Type.Object({
    state: Type.Union([Type.Literal('waiting'), Type.Literal('approved')]),
    id: optional(Type.String({ description: 'ID of the token.' })),
    token: optional(Type.String({ description: 'A personal token, which is not shown again.' })),
    expires: optional(time('End of the token.')),
  }),
);

export const WaitingDevice = withTitle(
  'WaitingDevice',
  Type.Object({
    name: Type.String(),
    address: Type.String({ description: 'Network address of the program.' }),
    seconds: Type.Integer({ description: 'Lifetime of the token.' }),
  }),
);

export const DeviceCode = withTitle('DeviceCode', Type.Object({ deviceCode: Type.String({ maxLength: 100 }) }));
export const UserCode = withTitle('UserCode', Type.Object({ userCode: Type.String({ maxLength: 20 }) }));

export const AnswerDevice = withTitle(
  'AnswerDevice',
  Type.Object({ userCode: Type.String({ maxLength: 20 }), approve: Type.Boolean() }),
);

export const ExchangeToken = withTitle(
  'ExchangeToken',
  Type.Object({ token: Type.String({ maxLength: 16_384, description: 'JWT of the platform.' }) }),
);

export const ExchangedToken = withTitle(
  'ExchangedToken',
  Type.Object({
    token: Type.String({ description: 'An API token, which is not shown again.' }),
    expires: time('End of the token.'),
    rule: Type.String({ description: 'Rule of the sign-in file that applied.' }),
  }),
);
