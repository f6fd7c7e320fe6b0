import { Type, type Static, type TObject, type TSchema, type TStringOptions } from 'typebox';

/** Building blocks of request and response schemas. */

/** An object schema with a name: one component of the OpenAPI document, wherever it is used. */
export function withTitle<T extends TSchema>(title: string, schema: T): T {
  return Object.assign(schema, { title });
}

/** A member that may be missing; requests may also send null for it. */
export const optional = Type.Optional;

/**
 * RFC 3339, stored as text to preserve its precision. `0001-01-01T00:00:00Z`, which some clients
 * send for "none", counts as missing. The format alone also admits a zone name after the offset,
 * leap seconds, and lower-case letters, which `Date` or the Go client cannot parse.
 */
export const Timestamp = (description: string) => textOf('time', { format: 'date-time', description });

/**
 * Patterns for strings, each with a description for errors: users should not have to read a regular
 * expression.
 */
export const textForms = {
  email: { pattern: '^[^\\s@\\u0000]+@[^\\s@\\u0000]+$', expected: 'an e-mail address, such as ada@example.com' },
  slug: { pattern: '^[a-z0-9-]+$', expected: 'made of lower-case letters, digits and dashes, such as deploy' },
  /** The client of SQLite ends a text at its first NUL when it reads it. */
  written: { pattern: '^[^\\u0000]*$', expected: 'text without the character NUL' },
  time: {
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
    expected: 'a time as RFC 3339 writes it, such as 2026-01-31T10:00:00Z',
  },
  uid: {
    pattern: '^[A-Za-z0-9_-]{1,128}$',
    expected: 'made of 1 to 128 letters, digits, dashes and underscores, such as service-overview',
  },
  url: {
    pattern: '^[hH][tT][tT][pP][sS]?://[^\\s/?#\\u0000-\\u001f]+[^\\s\\u0000-\\u001f]*$',
    expected: 'an address that begins with https:// or http://, such as https://example.com/hook',
  },
  position: { pattern: '^\\d{1,19}$', expected: 'a position in the log, such as 42' },
  ntfyTopic: { pattern: '^[-_A-Za-z0-9]{1,64}$', expected: 'made of 1 to 64 letters, digits, dashes and underscores' },
  twilioAccount: { pattern: '^AC[0-9a-fA-F]{32}$', expected: 'AC and 32 hexadecimal digits' },
  phone: { pattern: '^\\+[1-9]\\d{1,14}$', expected: 'a telephone number with its country code, such as +15550100' },
  snsTopic: {
    pattern: '^arn:aws[a-z-]*:sns:[a-z0-9-]+:\\d{12}:[-_A-Za-z0-9]{1,256}(\\.fifo)?$',
    expected: 'the ARN of a topic, such as arn:aws:sns:eu-west-1:123456789012:alerts',
  },
  awsKeyId: { pattern: '^\\w{16,128}$', expected: 'the ID of an access key, of 16 to 128 letters and digits' },
} as const satisfies Record<string, { readonly pattern: string; readonly expected: string }>;

export const textOf = (form: keyof typeof textForms, options: TStringOptions = {}) =>
  Type.String({ ...options, pattern: textForms[form].pattern });

export const oneOf = <const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options });

/**
 * Query parameters of routes with properties beyond the published interface: they are opt-in,
 * because strict clients, such as those in Go, reject them.
 */
export const includeParameter = <const T extends string>(property: T, description: string) =>
  Type.Object({ include: optional(oneOf([property], { description: `\`${property}\` ${description}` })) });

/**
 * Arbitrary property names, for `Type.Record`. Its default pattern does not match a name with a
 * line break, and properties that match no pattern are not validated.
 */
export const anyName = Type.String({ pattern: '^' });

/**
 * An object whose members clients spell in several cases, as Go does, which does not care; the one
 * that is spelt exactly wins.
 */
export const anyCase = <T extends TSchema>(schema: T): T => Object.assign(schema, { 'x-any-case': true });

/** A JSON object with any members. */
export const AnyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const IdParameter = Type.Object({ id: Type.String({ minLength: 1, description: 'ID of the resource.' }) });

export const Page = {
  limit: optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum elements to return.' }),
  ),
  offset: optional(Type.Integer({ minimum: 0, default: 0, description: 'Elements to skip.' })),
};

/** Properties outside a schema belong to the caller and are stored verbatim. */
export const open = { patternProperties: { '^': {} } };

/** The schema with additional properties that the server adds. */
export function withMembers<A extends TObject, B extends TObject>(title: string, base: A, added: B) {
  return Type.Unsafe<Static<A> & Static<B>>(Type.Object({ ...base.properties, ...added.properties }, { title }));
}
