import { common, convert } from '../conversions.js';
import type { Special } from '../functions.js';
import type { Scalar } from '../scalar.js';
import { asDynamic, isList, jsonText, wrap } from '../values.js';

const beside =
  (direction: 1 | -1): Special =>
  ([value, distance, otherwise]) => {
    const steps: Scalar = distance ?? { type: 'long', at: () => 1n };
    const type = otherwise === undefined ? value!.type : common([value!, otherwise]);
    const there = convert(value!, type);
    const beyond: Scalar = otherwise === undefined ? { type, at: () => null } : convert(otherwise, type);
    return {
      type,
      at: (rows, i) => {
        const at = i + direction * Number(steps.at(rows, i));
        return rows[at] === undefined ? beyond.at(rows, i) : there.at(rows, at);
      },
    };
  };

/** Functions of neighboring rows, and functions that make dynamic values from any arguments. */
export const rowFunctions: Readonly<Record<string, Special>> = {
  prev: beside(-1),
  next: beside(1),
  row_number: ([first]) => ({
    type: 'long',
    at: (rows, i) => BigInt(i) + ((first?.at(rows, i) as bigint | undefined) ?? 1n),
  }),
  row_cumsum: ([value]) => ({
    type: value!.type,
    at: (rows, i) =>
      rows.slice(0, i + 1).reduce<bigint | null>((sum, _, k) => {
        const added = value!.at(rows, k) as bigint | null;
        return added === null ? sum : wrap((sum ?? 0n) + added);
      }, null),
  }),
  // Null can be an element as well.
  array_index_of: ([array, wanted]) => ({
    type: 'long',
    at: (rows, i) => {
      const [list, value] = [array!.at(rows, i), asDynamic(wanted!.at(rows, i), wanted!.type)];
      return isList(list) ? BigInt(list.findIndex((element) => jsonText(element) === jsonText(value))) : null;
    },
  }),
  pack_array: (args) => ({
    type: 'dynamic',
    at: (rows, i) => args.map((arg) => asDynamic(arg.at(rows, i), arg.type)),
  }),
  bag_pack: (args) => ({
    type: 'dynamic',
    at: (rows, i) =>
      Object.fromEntries(
        args.flatMap((arg, k) =>
          k % 2 === 0 ? [[String(arg.at(rows, i)), asDynamic(args[k + 1]!.at(rows, i), args[k + 1]!.type)]] : [],
        ),
      ),
  }),
};
