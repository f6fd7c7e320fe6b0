import { durationText, parseDuration } from '../../data/time/instants.js';

/** Duration range in nanoseconds; undefined for an open end. */
interface DurationRange {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

export const anyDuration: DurationRange = { from: undefined, to: undefined };

/** Parses `100ms`, `> 100ms`, `< 2s`, `100ms..2s`. Undefined if invalid. */
export function parseDurationRange(typed: string): DurationRange | undefined {
  const text = typed.replaceAll(/\s+/g, '').replace('µ', 'u');
  if (text === '') return anyDuration;
  const [, sign, single] = /^(>=?|<=?)?([^.<>]*(?:\.\d+[^.<>]*)?)$/.exec(text) ?? [];
  if (single !== undefined) {
    const length = parseDuration(single);
    if (length === undefined) return undefined;
    return sign?.startsWith('<') === true ? { from: undefined, to: length } : { from: length, to: undefined };
  }
  const [from, to, more] = text.split('..').map((end) => (end === '' ? '' : parseDuration(end)));
  if (more !== undefined || from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const range = { from: from === '' ? undefined : from, to: to === '' ? undefined : to };
  return range.from !== undefined && range.to !== undefined && range.from > range.to ? undefined : range;
}

/** Notation in the field and the address. */
export function durationRangeText({ from, to }: DurationRange): string {
  if (from === undefined) return to === undefined ? '' : `<${durationText(to)}`;
  return to === undefined ? `>${durationText(from)}` : `${durationText(from)}..${durationText(to)}`;
}
