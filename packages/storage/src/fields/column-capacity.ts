import { type BatchFieldStats, type FieldsWithRoom, OTHER_FIELD } from '@millrace/events';
import type { DatasetFields } from './fields.js';

/** Fields that are checked in one step. */
const step = 500;

/**
 * Selects the fields of a batch that fit into a dataset's limit: the existing ones, and the first
 * new ones up to the limit. Every name of a dataset is in memory, and is read at each start.
 * Batches encoded at the same time may exceed the limit together.
 * @param max fields that a dataset may have
 */
export function* fieldsWithRoom(
  fields: Pick<DatasetFields, 'has' | 'size'>,
  { uses }: BatchFieldStats,
  max: number,
): Generator<void, FieldsWithRoom | undefined> {
  // Nearly always all fields fit.
  if (fields.size + uses.length <= max) return undefined;
  const kept = new Set<string>();
  let room = max - fields.size;
  let isFull = false;
  for (const [place, { field }] of uses.entries()) {
    if (place % step === 0) yield;
    if (kept.has(field)) continue;
    if (field === OTHER_FIELD || fields.has(field) || room-- > 0) kept.add(field);
    else isFull = true;
  }
  return isFull ? { kept: [...kept] } : undefined;
}
