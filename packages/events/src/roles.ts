import type { EncodeOptions, Envelope } from './encode.js';
import { storedName } from './fields.js';

/**
 * How the values of a name are treated: normally, verbatim if an object (a map field), as the
 * event's time, as a name over the length limit, or as a name over the limit per body.
 */
export type Role = 'plain' | 'map' | 'time' | 'default-time' | 'too-long' | 'other' | 'passage' | EnvelopeRole;

/**
 * The role of a name in an envelope: the event, an object of more fields, a field if the event has
 * no value of that name, or omitted.
 */
type EnvelopeRole = 'event' | 'more' | 'aside' | 'left-out';

/** Roles as the core numbers them. */
export const ROLE_NUMBER: Readonly<Record<Role, number>> = {
  plain: 0,
  map: 1,
  time: 2,
  'default-time': 3,
  'too-long': 4,
  other: 5,
  passage: 6,
  event: 7,
  more: 8,
  aside: 9,
  'left-out': 10,
};

/** The role of a member of an envelope. */
export function roleInEnvelope(name: string, { event, more, fields }: Envelope): EnvelopeRole {
  if (name === event) return 'event';
  if (name === more) return 'more';
  return fields.includes(name) ? 'aside' : 'left-out';
}

/**
 * The role that the options give to a dotted name. `default-time` is `_time` when another field is
 * declared to supply the time.
 */
export function roleOf(name: string, { timestampField = '_time', limits, mapFields, only }: EncodeOptions): Role {
  if (name === timestampField) return 'time';
  if (name === '_time') return 'default-time';
  if (name.length * 3 > limits.maxNameBytes && Buffer.byteLength(name) > limits.maxNameBytes) return 'too-long';
  const stored = storedName(name);
  if (only !== undefined && !only.fields.has(stored)) return only.parents.has(stored) ? 'passage' : 'other';
  return mapFields.has(stored) ? 'map' : 'plain';
}
