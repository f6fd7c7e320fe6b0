import type { EncodeOptions } from './encode.js';
import { storedName } from './fields.js';

/** What is special about the values of a name: nothing, kept whole if an object, the event's time, or a name over the limit. */
type Role = 'plain' | 'map' | 'time' | 'default-time' | 'too-long';

/** Roles as the core numbers them. */
export const ROLE_NUMBER: Readonly<Record<Role, number>> = {
  plain: 0,
  map: 1,
  time: 2,
  'default-time': 3,
  'too-long': 4,
};

/** The role that the options give to a dotted name. `default-time` is `_time` when another field is declared to supply the time. */
export function roleOf(name: string, { timestampField = '_time', limits, mapFields }: EncodeOptions): Role {
  if (name === timestampField) return 'time';
  if (name === '_time') return 'default-time';
  if (name.length * 3 > limits.maxNameBytes && Buffer.byteLength(name) > limits.maxNameBytes) return 'too-long';
  return mapFields.has(storedName(name)) ? 'map' : 'plain';
}
