import { consume } from '../model/compile-budget.js';
import type { Plan } from './nodes.js';
import { mapInnerPlans, mapInputs, rewriteScalars } from './rewrite.js';
import type { ColumnId } from './scalar.js';
import type { Schema } from './schema.js';

/** Copies a pipeline with new column IDs; `fresh` derives each from the original one. */
export function copyOf(plan: Plan, fresh: (like: ColumnId) => ColumnId): Plan {
  const renamed = new Map<ColumnId, ColumnId>();
  const rename = (id: ColumnId): ColumnId => {
    const known = renamed.get(id);
    if (known !== undefined) return known;
    const copy = fresh(id);
    renamed.set(id, copy);
    return copy;
  };
  const schema = ({ fields, rowId, rest }: Schema): Schema => ({
    fields: fields.map((field) => ({
      ...field,
      ...(field.events !== undefined && { events: rename(field.events) }),
      readings: field.readings.map((reading) => ({ ...reading, id: rename(reading.id) })),
    })),
    ...(rowId === undefined
      ? {}
      : {
          rowId: {
            sysTime: rename(rowId.sysTime),
            time: rename(rowId.time),
            seq: rename(rowId.seq),
            row: rename(rowId.row),
          },
        }),
    ...(rest === undefined ? {} : { rest: { ...rest, bag: rename(rest.bag), text: rename(rest.text) } }),
  });
  const ids = <T extends { readonly id: ColumnId }>(list: readonly T[]): readonly T[] =>
    list.map((entry) => ({ ...entry, id: rename(entry.id) }));

  const copy = (original: Plan): Plan => {
    const scalars = rewriteScalars(mapInputs(original, copy), (scalar) =>
      scalar.kind === 'column' ? { ...scalar, id: rename(scalar.id) } : scalar,
    );
    const node = mapInnerPlans(scalars, copy);
    consume(node.schema.fields.length / 20);
    const base = { schema: schema(node.schema) };
    switch (node.kind) {
      case 'scan':
        return { ...node, ...base, columns: new Map([...node.columns].map(([id, sql]) => [rename(id), sql])) };
      case 'rows':
        return { ...node, ...base, columns: ids(node.columns) };
      case 'external':
        return { ...node, ...base, columns: ids(node.columns) };
      case 'project':
        return {
          ...node,
          ...base,
          computed: ids(node.computed),
          ...(node.per === undefined ? {} : { per: node.per.map(rename) }),
        };
      case 'aggregate':
        return { ...node, ...base, groups: ids(node.groups), aggregates: ids(node.aggregates) };
      case 'union':
        return { ...node, ...base, columns: ids(node.columns) };
      case 'expand':
        return {
          ...node,
          ...base,
          arrays: ids(node.arrays),
          ...(node.index === undefined ? {} : { index: rename(node.index) }),
        };
      case 'limit':
        return { ...node, ...base, ...(node.by === undefined ? {} : { by: node.by.map(rename) }) };
      case 'filter':
      case 'sort':
      case 'topSeries':
      case 'sample':
      case 'join':
        return { ...node, ...base };
    }
  };
  return copy(plan);
}
