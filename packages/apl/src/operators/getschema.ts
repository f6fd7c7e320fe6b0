import { constant } from '../plan/scalar.js';
import type { Plan, RowsPlan } from '../plan/nodes.js';
import { typeNameOf } from '../model/result-types.js';
import type { ScalarType } from '../model/types.js';
import type { BindOperator } from './define.js';

/** `getschema`: a row for each column, in order. No data is read. */
export const bindGetSchema: BindOperator<'getschema'> = (_, input, context): Plan => {
  const columns = (
    [
      ['ColumnName', 'string'],
      ['DataType', 'string'],
      ['ColumnOrdinal', 'long'],
      ['ColumnType', 'string'],
    ] as const
  ).map(([name, type]) => ({ name, type, id: context.query.fresh(name) }));
  const rows = input.schema.fields.map(({ name, readings }, i): RowsPlan['rows'][number] => {
    const types = readings.map((reading) => reading.type);
    return [
      constant('string', name),
      constant('string', typeNameOf(types)),
      constant('long', BigInt(i)),
      constant('string', types.map(languageName).join('|')),
    ];
  });
  return {
    kind: 'rows',
    schema: { fields: columns.map(({ name, type, id }) => ({ name, readings: [{ type, id }] })) },
    columns,
    rows,
  };
};

/** The name of a type in a query; for a map with the type its members are given. */
const languageName = (type: ScalarType): string =>
  type === 'bag' ? 'map[string]' : type === 'array' ? 'dynamic' : type;
