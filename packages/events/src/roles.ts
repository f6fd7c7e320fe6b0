import type { EncodeOptions, Envelope } from './encode.js';
import { storedName } from './fields.js';

/**
 * What is special about the values of a name: nothing, kept whole if an object, the event's time, a
 * name over the limit, or one beyond those that a body may bring.
 */
export type Role = 'plain' | 'map' | 'time' | 'default-time' | 'too-long' | 'other' | 'passage' | EnvelopeRole;

/**
 * What is special about a name in an envelope: it is the event, an object of more fields, a field
 * if the event has none of that name, or left out.
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
