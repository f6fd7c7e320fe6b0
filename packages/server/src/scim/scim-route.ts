import { Type } from 'typebox';
import { optional } from '@millrace/api/schemas/parts';
import type { OrgRight } from '@millrace/api/schemas/capabilities';
import { bytes, empty, type RouteResponse } from '@millrace/http/route';
import { scimErrors, scimMediaType } from './scim-errors.js';

/** What all routes of SCIM have in common. */
export const scimRoute = {
  tag: 'SCIM',
  shipper: true,
  errorForm: scimErrors,
} as const;

export const writes = { changesRights: true } as const;

/** Reading needs to see users, and each change the right to change them and their groups. */
export const needOf = (action: OrgRight['action']) =>
  action === 'read'
    ? ({ scope: 'org', resource: 'users', action: 'read' } as const)
    : ({ scope: 'org', resource: 'rbac', action: 'update' } as const);

const text = () => optional(Type.String());
export const ListQuery = Type.Object({ filter: text(), startIndex: text(), count: text(), excludedAttributes: text() });
export const IdParam = Type.Object({ id: Type.String() });
export const documentedResponses = {
  200: { description: 'The resource.', mediaTypes: ['application/scim+json'] },
} as const;

export const scim = (value: object, status = 200): RouteResponse => bytes(JSON.stringify(value), scimMediaType, status);
export const noContent = (): RouteResponse => empty();
