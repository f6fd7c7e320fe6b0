import type { TObject, TSchema } from 'typebox';
import { Type } from 'typebox';
import { describeRouteNeed, errorsOf } from './describe-route.js';
import { type ErrorCode, errorTable } from '@millrace/api/errors';
import { AnyObject } from '@millrace/api/schemas/parts';
import { type Example, json, route, type ResponseRecord, type Route } from '../route.js';

/**
 * The OpenAPI 3.1 document of the route table, with the schemas that validate requests. Schemas
 * with a title become components.
 */

const apiVersion = '0.1.0';

type Json = Readonly<Record<string, unknown>>;

/** Adds the route that serves the OpenAPI document. */
export function addOpenApi(routes: readonly Route[]): readonly Route[] {
  let document: Json | undefined;
  const all: readonly Route[] = [
    ...routes,
    route({
      method: 'GET',
      path: '/openapi.json',
      operation: 'getOpenApi',
      tag: 'Operations',
      summary: 'Get this API as an OpenAPI 3.1 document',
      need: { scope: 'public' },
      request: {},
      responses: { 200: { description: 'The document.', schema: AnyObject('OpenAPI 3.1.') } },
      examples: [{ summary: 'The document' }],
      handle: () => json((document ??= openApi(all))),
    }),
  ];
  return all;
}

export function openApi(routes: readonly Route[]): Json {
  const components = new Map<string, unknown>();
  const paths: Record<string, Record<string, unknown>> = {};
  // Pages are not part of the API.
  const interfaces = routes.filter(({ page }) => page !== true);
  for (const each of interfaces) {
    const path = (paths[each.path] ??= {});
    path[each.method.toLowerCase()] = operationOf(each, components);
  }
  const tags = [...new Set(interfaces.map(({ tag }) => tag))].map((name) => ({ name }));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version: apiVersion,
      description: 'A self-hosted event store that speaks the Axiom HTTP interface.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags,
    paths,
    components: {
      schemas: { Error: errorSchema, ...Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))) },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token `xaat-…` or a personal token `xapt-…`.' },
      },
    },
  };
}

const errorSchema = Type.Object({
  code: Type.Integer({ description: 'The HTTP status.' }),
  message: Type.String({ description: 'The problem and how to fix it.' }),
  detail: Type.Optional(AnyObject('Only of queries that do not compile: where the mistake is.')),
});

function operationOf(each: Route, components: Map<string, unknown>): Json {
  const { params, query, headers, body } = each.request;
  const parameters = [
    ...parametersOf('path', params, components),
    ...parametersOf('query', query, components),
    ...parametersOf('header', headers, components),
  ];
  return {
    operationId: each.operation,
    tags: [each.tag],
    summary: each.summary,
    description: [each.description, `Needs ${describeRouteNeed(each.need)}.`]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    security: each.need.scope === 'public' ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: contentOf(each, body, components) } }),
    responses: {
      // Other products define what their programs read.
      ...(each.shipper === true && { '2XX': { description: 'As the protocol defines it.' } }),
      ...Object.fromEntries(
        Object.entries(each.responses).map(([status, response]) => [status, responseOf(each, response, components)]),
      ),
      ...errorResponses(each, components),
    },
  };
}

function parametersOf(
  where: 'path' | 'query' | 'header',
  schema: TObject | undefined,
  components: Map<string, unknown>,
): readonly Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { readonly description?: string };
    return {
      name,
      in: where,
      required: where === 'path' || (schema?.required?.includes(name as never) ?? false),
      description,
      schema: referenceSchema(rest, components),
    };
  });
}

/** Media types of native ingest. */
const nativeTypes = ['application/json', 'application/x-ndjson', 'text/csv'];

function contentOf(
  { examples, shipper, bodyTypes = shipper === true ? ['*/*'] : nativeTypes }: Route,
  body: TSchema | 'bytes',
  components: Map<string, unknown>,
): Json {
  if (body === 'bytes' || body === 'stream') return Object.fromEntries(bodyTypes.map((type) => [type, {}]));
  return { 'application/json': { schema: referenceSchema(body, components), ...examplesOf(examples, 'body') } };
}

function responseOf(
  { examples }: Route,
  { description, schema, mediaTypes }: ResponseRecord,
  components: Map<string, unknown>,
): Json {
  if (schema === undefined && mediaTypes === undefined) return { description };
  const content =
    schema === undefined ? {} : { schema: referenceSchema(schema, components), ...examplesOf(examples, 'answer') };
  const [first, ...others] = mediaTypes ?? ['application/json'];
  const empty = Object.fromEntries(others.map((type) => [type, {}]));
  return { description, content: { [first!]: content, ...empty } };
}

function examplesOf(examples: readonly Example[], part: 'body' | 'answer'): Json {
  const given = examples.filter((example) => example[part] !== undefined);
  if (given.length === 0) return {};
  return { examples: Object.fromEntries(given.map((example) => [example.summary, { value: example[part] }])) };
}

function errorResponses(each: Route, components: Map<string, unknown>): Json {
  const { errorForm } = each;
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(each)) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const documented = new Set(Object.keys(each.responses));
  const entries = [...byStatus].filter(([status]) => !documented.has(String(status)));
  return Object.fromEntries(
    entries.map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
          ...(errorForm !== undefined && {
            [errorForm.mediaType]:
              errorForm.schema === undefined ? {} : { schema: referenceSchema(errorForm.schema, components) },
          }),
        },
      },
    ]),
  );
}

/** A schema in which every titled part is a reference to a component. */
function referenceSchema(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => referenceSchema(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { title, ...members } = schema as { readonly title?: unknown };
  const inner = () =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, referenceSchema(member, components)]));
  if (typeof title !== 'string')
    return { ...(title !== undefined && { title: referenceSchema(title, components) }), ...inner() };
  if (!components.has(title)) {
    components.set(title, undefined);
    components.set(title, inner());
  }
  return { $ref: `#/components/schemas/${title}` };
}
