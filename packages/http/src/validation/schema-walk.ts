/** JSON Schemas as data: finds the part of a schema for a position in a value. */

/** The keywords of JSON Schema that schemas in this package use. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** Property names are case-insensitive; created by `anyCase`. */
  readonly 'x-any-case'?: boolean;
  /** Values of a list in a query string contain commas: only repeated parameters separate them. */
  readonly 'x-whole'?: boolean;
}

/** The schema of a property; `undefined` if the schema does not know it. */
export function memberOf({ properties, patternProperties }: Schema, name: string): Schema | undefined {
  const [every] = Object.values(patternProperties ?? {});
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : every;
}

/** The schema at a JSON pointer, and its readable path: `order[0].field`. */
export function placeOf(schema: Schema, pointer: string): { readonly path: string; readonly schema: Schema } {
  let path = '';
  let at = schema;
  for (const part of pointer.split('/').slice(1).map(unescapePointer)) {
    const { items } = at;
    path = items !== undefined ? `${path}[${part}]` : memberPath(path, part);
    at = items ?? memberOf(at, part) ?? {};
  }
  return { path, schema: at };
}

export const memberPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
