import type { Route } from '@millrace/http/route';

/**
 * Generates packages/client/src/operations.ts from the route table: the types of requests and
 * responses, and how each operation is sent.
 */
export function clientTypes(all: readonly Route[]): string {
  const routes = all.filter(({ page, shipper }) => page !== true && shipper !== true);
  const named = namedSchemas(routes);
  return `/** Generated from the server's table of routes by \`npm run docs\`: change the routes, not this file. */

${named.map(declaration).join('\n\n')}

/** Request and answer types of each operation. */
export interface Operations {
${routes.map(operationText).join('\n')}
}

/** Method, path, body and answer format of each operation, and its statuses that are not errors. */
export const routes = {
${routes.map(routeText).join('\n')}
} as const;
`;
}

/**
 * The properties of JSON Schema that route schemas use. Support new ones here before using them
 * there.
 */
interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
}

/** Properties that describe the type, or constraints that types cannot express. */
const understood = new Set(
  'type title description properties required patternProperties items anyOf const enum'
    .concat(' default format pattern minLength maxLength minItems maxItems uniqueItems minimum maximum x-any-case')
    .split(' '),
);

/**
 * Every schema with a title, once, in the order of titles.
 * @throws Error if two different schemas share a title, or if a title would hide a name that the
 * file itself declares
 */
function namedSchemas(routes: readonly Route[]): readonly Schema[] {
  const found = new Map<string, Schema>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { title } = value as { readonly title?: unknown };
    if (typeof title === 'string') {
      const known = found.get(title) ?? value;
      if (JSON.stringify(known) !== JSON.stringify(value)) throw new Error(`two schemas are titled ${title}`);
      if (title === 'Operations' || !/^[A-Z]\w*$/.test(title)) throw new Error(`'${title}' cannot name a type`);
      found.set(title, value as Schema);
    }
    Object.values(value).forEach(visit);
  };
  for (const { request, responses } of routes) visit([request, responses]);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, schema]) => schema);
}

function declaration(schema: Schema): string {
  const { title, ...shape } = schema;
  const head = comment(schema.description, 0);
  return shape.properties === undefined
    ? `${head}export type ${title} = ${typeText(shape, 0)};`
    : `${head}export interface ${title} ${typeText(shape, 0)}`;
}

function operationText({ operation, summary, request, responses }: Route): string {
  const { params, query, headers, body } = request;
  const members = [
    part('params', params, 3),
    part('query', query, 3),
    part('headers', headers, 3),
    ...(body === undefined
      ? []
      : [`      readonly body: ${typeof body === 'string' ? 'Uint8Array | string' : typeText(body, 3)};`]),
  ].filter((text) => text !== '');
  const answers = seenResponses(responses).map(([, response]) => {
    if (answerKind(response) === 'json') return typeText(response.schema ?? {}, 2);
    return answerKind(response) === 'bytes' ? 'Uint8Array' : 'undefined';
  });
  return [
    `${comment(summary, 1)}  readonly ${operation}: {`,
    members.length === 0
      ? `    readonly request: ${nothing};`
      : `    readonly request: {\n${members.join('\n')}\n    };`,
    `    readonly answer: ${union(answers)};`,
    '  };',
  ].join('\n');
}

/** Responses that a caller sees: 304 is for caches. */
const seenResponses = (responses: Route['responses']) =>
  Object.entries(responses).filter(([status]) => status !== '304');

/** Text of a nested part of a request; optional if all its properties are. */
function part(name: string, schema: Schema | undefined, depth: number): string {
  if (schema === undefined) return '';
  const mark = (schema.required ?? []).length > 0 ? '' : '?';
  return `${'  '.repeat(depth)}readonly ${name}${mark}: ${typeText(schema, depth)};`;
}

/**
 * @throws Error if the responses of a route differ in form: a caller could not know how to read
 * them
 */
function routeText({ operation, method, path, request, responses }: Route): string {
  const kinds = [...new Set(seenResponses(responses).map(([, response]) => answerKind(response)))];
  if (kinds.length !== 1) throw new Error(`${operation} has answers of ${kinds.length} forms`);
  const statuses = seenResponses(responses)
    .map(([status]) => status)
    .join(', ');
  const body = request.body === undefined ? 'none' : request.body === 'bytes' ? 'bytes' : 'json';
  return `  ${operation}: { method: '${method}', path: '${path}', body: '${body}', statuses: [${statuses}], answer: '${kinds[0]}' },`;
}

function answerKind({ schema, mediaTypes }: Route['responses'][number]): 'json' | 'bytes' | 'empty' {
  if (schema !== undefined) return 'json';
  return mediaTypes === undefined ? 'empty' : 'bytes';
}

/** A schema as a type; lines after the first are indented by `depth`. */
function typeText(schema: Schema, depth: number): string {
  // `additionalProperties: false` adds nothing to the type.
  const foreign = Object.entries(schema).filter(
    ([name, value]) => !understood.has(name) && !(name === 'additionalProperties' && value === false),
  );
  if (foreign.length > 0)
    throw new Error(`no type is known for a schema with ${foreign.map(([name]) => name).join(', ')}`);
  const { type, title, properties, patternProperties, items = {}, anyOf, const: only, enum: values } = schema;
  if (title !== undefined) return title;
  if (only !== undefined) return literal(only);
  if (values !== undefined) return union(values.map(literal));
  if (anyOf !== undefined) return union(anyOf.map((each) => typeText(each, depth)));
  switch (type) {
    case undefined:
      return 'unknown';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = typeText(items, depth);
      const several = items.title === undefined && (items.anyOf ?? items.enum ?? []).length > 1;
      return `readonly ${several || item.startsWith('readonly ') ? `(${item})` : item}[]`;
    }
    case 'object': {
      if (properties !== undefined) return membersText(properties, schema.required ?? [], depth);
      const [every = {}] = Object.values(patternProperties ?? {});
      return `Readonly<Record<string, ${typeText(every, depth)}>>`;
    }
    default:
      throw new Error(`no type is known for a schema of type ${type}`);
  }
}

function membersText(properties: Readonly<Record<string, Schema>>, required: readonly string[], depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const lines = Object.entries(properties).map(([name, property]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    const mark = required.includes(name) ? '' : '?';
    return `${comment(property.description, depth + 1)}${indent}readonly ${key}${mark}: ${typeText(property, depth + 1)};`;
  });
  if (lines.length === 0) return nothing;
  const short = `{ ${lines.map((line) => line.trim().replace(/;$/, '')).join('; ')} }`;
  return depth > 0 && !/\n|\/\*/.test(lines.join('')) && short.length < 80
    ? short
    : `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

/** An object without properties. */
const nothing = 'Readonly<Record<never, never>>';

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'` : JSON.stringify(value);

const comment = (text: string | undefined, depth: number): string =>
  text === undefined ? '' : `${'  '.repeat(depth)}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
