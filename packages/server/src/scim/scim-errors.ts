import type { ErrorFormat } from '@millrace/http/errors/error-format';

export const scimMediaType = 'application/scim+json; charset=utf-8';

const types: Readonly<Record<string, string>> = { 'already-exists': 'uniqueness', 'invalid-request': 'invalidValue' };

/** Errors as RFC 7644 has them. */
export const scimErrors: ErrorFormat = {
  doc: 'Errors have the form of RFC 7644.',
  mediaType: 'application/scim+json',
  say: ({ code, status, message }) => {
    const seen = code === 'unauthenticated' ? 401 : status;
    const scimType = types[code];
    const content = JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(seen),
      ...(scimType !== undefined && { scimType }),
      detail: message,
    });
    return { status: seen, mediaType: scimMediaType, content };
  },
};
