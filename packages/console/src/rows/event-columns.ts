import type { FieldRoles } from './field-roles.js';
import { levelField } from './known-fields.js';
import { fieldCoverage, type RowSource } from './row-source.js';

/**
 * Default columns of a table of events: the time, then fields with values. If not all fit, the most
 * frequent come first; otherwise only the empty ones move to the end.
 */
export function eventColumns(source: RowSource, max: number): readonly string[] {
  const names = source.fields.map(({ name }) => name).filter((name) => name !== '_time' && name !== '_sysTime');
  const coverage = fieldCoverage(source);
  const share = (name: string): number => coverage.get(name) ?? 0;
  const fits = names.length < max;
  const ranked = names.toSorted((a, b) => (fits ? Number(share(b) > 0) - Number(share(a) > 0) : share(b) - share(a)));
  return (source.typeOf('_time') === '' ? ranked : ['_time', ...ranked]).slice(0, max);
}

/** Columns that stay in front when a user chooses others: the time and the level. */
export const leadingColumns = ({ fields }: Pick<RowSource, 'fields'>, roles?: FieldRoles): readonly string[] => [
  ...(fields.some(({ name }) => name === '_time') ? ['_time'] : []),
  ...[levelField(fields, roles)].filter((name) => name !== undefined),
];
