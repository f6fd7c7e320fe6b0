import { Type, type Static } from 'typebox';
import { DatasetCapabilities, OrgCapabilities, ViewCapabilities } from './capabilities.js';
import { withTitle, optional, textOf, Timestamp, withMembers } from './parts.js';

const name = textOf('written', { minLength: 1, maxLength: 256, description: 'Display name.' });
const description = optional(textOf('written', { maxLength: 1024 }));
const expiresAt = optional(Timestamp('Expiry time, in the future. Default: never.'));

export const CreateToken = withTitle(
  'CreateToken',
  Type.Object({
    name,
    description,
    expiresAt,
    datasetCapabilities: optional(DatasetCapabilities),
    orgCapabilities: optional(OrgCapabilities),
    viewCapabilities: optional(ViewCapabilities),
  }),
);
export type CreateToken = Static<typeof CreateToken>;

const nullableTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);
const lastUsed = optional(
  Type.String({
    format: 'date-time',
    description:
      'Last use by a request or a session. Absent if the token has not been used since this is recorded. For API tokens, only with `include=lastUsed`.',
  }),
);

export const Token = withTitle(
  'Token',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    expiresAt: nullableTime,
    datasetCapabilities: DatasetCapabilities,
    orgCapabilities: OrgCapabilities,
    viewCapabilities: optional(ViewCapabilities),
    samlAuthenticated: Type.Boolean(),
    lastUsed,
  }),
);
export type Token = Static<typeof Token>;

const Secret = Type.Object({ token: Type.String({ description: 'The secret, which is not shown again.' }) });

export const CreatedToken = withMembers('CreatedToken', Token, Secret);

export const RegenerateToken = withTitle(
  'RegenerateToken',
  Type.Object({
    existingTokenExpiresAt: Timestamp('Expiry of the current secret; both are valid until then.'),
    newTokenExpiresAt: expiresAt,
    newToken: optional(CreateToken),
  }),
);

export const CreatePersonalToken = withTitle(
  'CreatePersonalToken',
  Type.Object({
    name,
    description,
    expiresAt,
    userId: optional(Type.String({ description: 'Owner of the token. Default: you.' })),
  }),
);

export const PersonalToken = withTitle(
  'PersonalToken',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    expiresAt: nullableTime,
    userId: Type.String(),
    created: Type.String({ format: 'date-time' }),
    lastUsed,
  }),
);
export const CreatedPersonalToken = withMembers('CreatedPersonalToken', PersonalToken, Secret);
