import { column } from '@millrace/sql';

/** Columns of a table of metrics; `metrics-table.ts` of the storage declares them. */
export const columns = {
  record: column('record#s'),
  metric: column('metric#s'),
  series: column('series#i'),
  value: column('value#f'),
  tags: column('tags#s'),
  type: column('type#s'),
  temporality: column('temporality#s'),
  unit: column('unit#s'),
  time: column('_time'),
  position: column('_seq'),
  row: column('_row'),
} as const;
