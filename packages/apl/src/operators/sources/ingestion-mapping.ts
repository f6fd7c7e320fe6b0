/** Location of a column of `externaldata`: a path of keys, or an index among the cells. */
interface Origin {
  readonly path?: readonly (string | number)[];
  readonly ordinal?: number;
}

/** Columns by name. */
export type Mapping = ReadonlyMap<string, Origin>;

/**
 * Parses an ingestion mapping, a JSON array of objects such as `{"Column": "a", "Properties":
 * {"Path": "$.x.y"}}` or `{"column": "a", "path": "$.x.y"}`; undefined if it is not one. Names of
 * properties are case-insensitive.
 */
export function mappingOf(text: string): Mapping | undefined {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(entries)) return undefined;
  const mapping = new Map<string, Origin>();
  for (const entry of entries as readonly unknown[]) {
    const column = memberOf(entry, 'column') ?? memberOf(entry, 'name');
    if (typeof column !== 'string') return undefined;
    const properties = memberOf(entry, 'properties');
    const path = memberOf(properties, 'path') ?? memberOf(entry, 'path');
    const ordinal = Number(memberOf(properties, 'ordinal') ?? memberOf(entry, 'ordinal') ?? NaN);
    mapping.set(column, {
      ...(typeof path === 'string' && { path: keysOf(path) }),
      ...(Number.isInteger(ordinal) && { ordinal }),
    });
  }
  return mapping;
}

function memberOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The keys in a path: `$.a[0]['b c']` has `a`, 0 and `b c`. */
const keysOf = (path: string): readonly (string | number)[] =>
  Array.from(path.matchAll(/\['([^']*)'\]|\["([^"]*)"\]|\[(\d+)\]|([^.[\]$]+)/g), ([, single, double, index, plain]) =>
    index === undefined ? (single ?? double ?? plain ?? '') : Number(index),
  );
