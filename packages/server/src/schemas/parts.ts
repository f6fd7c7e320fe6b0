import { Type, type Static, type TObject, type TSchema, type TStringOptions } from 'typebox';

/** Building blocks of request and response schemas. */

/** An object schema with a name: one component of the OpenAPI document, wherever it is used. */
export function named<T extends TSchema>(title: string, schema: T): T {
  return Object.assign(schema, { title });
}

/** A member that may be missing; requests may also send null for it. */
export const optional = Type.Optional;

/**
 * RFC 3339, kept as text, so that its precision stays as sent. `0001-01-01T00:00:00Z`, which some
 * clients send for "none", counts as missing. The format alone also admits the name of a zone
 * behind the offset, leap seconds, and small letters, with which `Date` or the client for Go can do
 * nothing.
 */
export const Timestamp = (description: string) => textOf('time', { format: 'date-time', description });

/**
 * Forms that texts must have, each with words for the error, because nobody wants to read a regular
 * expression.
 */
export const textForms = {
  email: { pattern: '^[^\\s@\\u0000]+@[^\\s@\\u0000]+$', asked: 'an e-mail address, such as ada@example.com' },
  slug: { pattern: '^[a-z0-9-]+$', asked: 'made of lower-case letters, digits and dashes, such as deploy' },
  /** The client of SQLite ends a text at its first NUL when it reads it. */
  written: { pattern: '^[^\\u0000]*$', asked: 'text without the character NUL' },
  time: {
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
    asked: 'a time as RFC 3339 writes it, such as 2026-01-31T10:00:00Z',
  },
  uid: {
    pattern: '^[A-Za-z0-9_-]{1,128}$',
    asked: 'made of 1 to 128 letters, digits, dashes and underscores, such as service-overview',
  },
  url: {
    pattern: '^[hH][tT][tT][pP][sS]?://[^\\s/?#\\u0000-\\u001f]+[^\\s\\u0000-\\u001f]*$',
    asked: 'an address that begins with https:// or http://, such as https://example.com/hook',
  },
  position: { pattern: '^\\d{1,19}$', asked: 'a position in the log, such as 42' },
} as const satisfies Record<string, { readonly pattern: string; readonly asked: string }>;

export const textOf = (form: keyof typeof textForms, options: TStringOptions = {}) =>
  Type.String({ ...options, pattern: textForms[form].pattern });

export const oneOf = <const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options });

/**
 * The names of members that are the caller's own, for `Type.Record`. The pattern that it has by
 * itself does not match a name with a line break, and what matches no pattern is not looked at.
 */
export const anyName = Type.String({ pattern: '^' });

/**
 * An object whose members clients spell in several cases, as Go does, which does not care; the one
 * that is spelt exactly wins.
 */
export const anyCase = <T extends TSchema>(schema: T): T => Object.assign(schema, { 'x-any-case': true });

/** A JSON object with any members. */
export const AnyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const IdParameter = Type.Object({ id: Type.String({ minLength: 1, description: 'Id of the resource.' }) });

export const Page = {
  limit: optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Most elements to return.' })),
  offset: optional(Type.Integer({ minimum: 0, default: 0, description: 'Elements to skip.' })),
};

/** Members beyond those of a schema are the caller's own, and kept as they are sent. */
export const open = { patternProperties: { '^': {} } };

/** The same members plus those the server adds. */
export function withMembers<A extends TObject, B extends TObject>(title: string, base: A, added: B) {
  return Type.Unsafe<Static<A> & Static<B>>(Type.Object({ ...base.properties, ...added.properties }, { title }));
}
