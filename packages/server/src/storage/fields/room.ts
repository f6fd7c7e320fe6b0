import { type BatchUses, type FieldsWithRoom, OTHER_FIELD } from '@millrace/events';
import type { DatasetFields } from './fields.js';

/** Fields that are looked up in one step. */
const step = 500;

/**
 * Which fields of a batch a dataset takes, if it cannot take all of them: those that it has, and
 * the first new ones that there is room for. Every name of a dataset is in memory, and is read at
 * each start. Batches that are encoded at the same time may go beyond the limit together.
 * @param most fields that a dataset may have
 */
export function* fieldsWithRoom(
  fields: Pick<DatasetFields, 'has' | 'size'>,
  { uses }: BatchUses,
  most: number,
): Generator<void, FieldsWithRoom | undefined> {
  // Nearly always there is room for all.
  if (fields.size + uses.length <= most) return undefined;
  const kept = new Set<string>();
  let room = most - fields.size;
  let isFull = false;
  for (const [place, { field }] of uses.entries()) {
    if (place % step === 0) yield;
    if (kept.has(field)) continue;
    if (field === OTHER_FIELD || fields.has(field) || room-- > 0) kept.add(field);
    else isFull = true;
  }
  return isFull ? { kept: [...kept] } : undefined;
}
