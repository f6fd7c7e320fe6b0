import { Type, type Static } from 'typebox';
import { DatasetCapabilities, OrgCapabilities, ViewCapabilities } from './capabilities.js';
import { withTitle, optional, textOf, withMembers } from './parts.js';

const userName = textOf('written', { minLength: 1, maxLength: 256 });
const Id = Type.Object({ id: Type.String() });
const ids = (description: string) => optional(Type.Array(Type.String(), { maxItems: 10_000, description }));

export const User = withTitle(
  'User',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: Type.Object({ id: Type.String(), name: Type.String() }),
  }),
);
export type User = Static<typeof User>;

export const UserV1 = withTitle(
  'UserV1',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    emails: Type.Array(Type.String(), { description: 'The same address, in the form that the Rust client reads.' }),
    role: Type.String(),
    permissions: Type.Array(Type.String()),
  }),
);

export const UpdateUser = withTitle('UpdateUser', Type.Object({ name: userName }));
export const UpdateUserRole = withTitle(
  'UpdateUserRole',
  Type.Object({ role: Type.String({ description: 'ID or name of a role.' }) }),
);
export const CreateUser = withTitle(
  'CreateUser',
  Type.Object({
    name: userName,
    email: textOf('email', { maxLength: 256 }),
    role: Type.String({ description: 'ID or name of a role.' }),
  }),
);

const groupOrRoleName = Type.String({ minLength: 1, maxLength: 128, description: 'Unique name.' });
const description = optional(Type.String({ maxLength: 1024 }));

export const WriteRole = withTitle(
  'WriteRole',
  Type.Object({
    name: groupOrRoleName,
    description,
    members: ids('IDs of users who have the role in addition to their own.'),
    datasetCapabilities: optional(DatasetCapabilities),
    orgCapabilities: optional(OrgCapabilities),
    viewCapabilities: optional(ViewCapabilities),
  }),
);
export type WriteRole = Static<typeof WriteRole>;
export const Role = withMembers(
  'Role',
  Type.Object({
    name: Type.String(),
    description: Type.String(),
    members: Type.Array(Type.String()),
    datasetCapabilities: DatasetCapabilities,
    orgCapabilities: OrgCapabilities,
    viewCapabilities: ViewCapabilities,
  }),
  Id,
);
export type Role = Static<typeof Role>;

export const WriteGroup = withTitle(
  'WriteGroup',
  Type.Object({
    name: groupOrRoleName,
    description,
    members: ids('IDs of the users in the group.'),
    roles: ids('IDs of the roles that every member has.'),
  }),
);
export type WriteGroup = Static<typeof WriteGroup>;
export const Group = withMembers(
  'Group',
  Type.Object({
    name: Type.String(),
    description: Type.String(),
    members: Type.Array(Type.String()),
    roles: Type.Array(Type.String()),
    isManaged: Type.Boolean({ description: 'Whether a provider manages its members by SCIM.' }),
  }),
  Id,
);
export type Group = Static<typeof Group>;
