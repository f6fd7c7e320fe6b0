import { type TObject, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '@millrace/api/errors';
import { longList } from '@millrace/http/body/json-stream';
import {
  type RequestContext,
  empty,
  type Example,
  json,
  route,
  type Route,
  type RouteNeed,
} from '@millrace/http/route';
import { IdParameter } from '@millrace/api/schemas/parts';

/** Definition of a collection's routes: the common part, then each route. */
interface CollectionRecord<
  Query extends TObject,
  New extends TSchema,
  Change extends TSchema,
  Include extends TObject,
> {
  readonly tag: string;
  readonly path: string;
  /** Endings of the operations' names: `View` and `Views` for `getView` and `listViews`. */
  readonly operations: { readonly one: string; readonly many: string };
  /** How descriptions name the documents, in lower case. */
  readonly nouns: { readonly one: string; readonly many: string };
  readonly schema: TSchema;
  readonly need: (action: 'create' | 'read' | 'update' | 'delete') => RouteNeed;
  /** Id of a document, for the examples. */
  readonly id: string;
  /** Query parameters of routes that return one document, from `includeParameter`. */
  readonly include?: Include;
  readonly list: Own<Pick<RequestContext<{ readonly query: Query }>, 'query'>, readonly unknown[]> & {
    readonly query?: Query;
    /** Describes the response. */
    readonly found: string;
    readonly example: Example;
  };
  readonly create: Own<Pick<RequestContext<{ readonly query: Include; readonly body: New }>, 'query' | 'body'>> & {
    readonly body: New;
    readonly status?: 201;
    /** Describes the response. Default: `The new …`. */
    readonly made?: string;
    readonly example: Example;
  };
  readonly get: Own<WithId & Pick<RequestContext<{ readonly query: Include }>, 'query'>> & {
    readonly example?: Example;
  };
  readonly update: Own<
    WithId & Pick<RequestContext<{ readonly query: Include; readonly body: Change }>, 'query' | 'body'>
  > & {
    readonly body: Change;
    readonly example: Example;
  };
  readonly delete: Own<WithId>;
}

type WithId = Pick<RequestContext<{ readonly params: typeof IdParameter }>, 'params'>;

/** The specific part of a route. Its handler returns the response value. */
interface Own<Request, Result = unknown> {
  /** Replaces the default, such as `Get a …`. */
  readonly summary?: string;
  readonly description?: string;
  /** In addition to `not-found`, which every route with an id has. */
  readonly errors?: readonly ErrorCode[];
  readonly changesRights?: true;
  handle(call: RequestContext & Request): Promise<Result>;
}

/** As it is spoken: the letters of `SLO` begin with one. */
const beginsWithVowel = /^([aeiou]|[AEFHILMNORSX][A-Z])/;

/** The five routes of a collection of documents: list, create, get, update and delete. */
export function collectionRoutes<
  Query extends TObject = TObject,
  New extends TSchema = TSchema,
  Change extends TSchema = TSchema,
  Include extends TObject = TObject,
>(collection: CollectionRecord<Query, New, Change, Include>): readonly Route[] {
  const { tag, path, operations, nouns, schema, need, include, list, create, get, update } = collection;
  const { status = 200, made = `The new ${nouns.one}.` } = create;
  const one = `${beginsWithVowel.test(nouns.one) ? 'an' : 'a'} ${nouns.one}`;
  const params = { id: collection.id };
  // Safe: a handler reads the query string only if its collection declares a schema for it.
  const query = { ...(include !== undefined && { query: include }) } as { readonly query: Include };
  const all = { tag, path };
  const single = { tag, path: `${path}/{id}` };
  return [
    route({
      ...all,
      method: 'GET',
      operation: `list${operations.many}`,
      summary: `List ${nouns.many}`,
      ...ownOf(list),
      need: need('read'),
      // Safe for the same reason.
      request: { ...(list.query !== undefined && { query: list.query }) } as { readonly query: Query },
      responses: { 200: { description: list.found, schema: Type.Array(schema) } },
      examples: [list.example],
      handle: async (call) => longList(await list.handle(call)),
    }),
    route({
      ...all,
      method: 'POST',
      operation: `create${operations.one}`,
      summary: `Create ${one}`,
      ...ownOf(create),
      need: need('create'),
      request: { ...query, body: create.body },
      responses: { [status]: { description: made, schema } },
      examples: [create.example],
      handle: async (call) => json(await create.handle(call), status),
    }),
    route({
      ...single,
      method: 'GET',
      operation: `get${operations.one}`,
      summary: `Get ${one}`,
      ...ownOf(get, ['not-found']),
      need: need('read'),
      request: { params: IdParameter, ...query },
      responses: { 200: { description: `The ${nouns.one}.`, schema } },
      examples: [{ summary: `One ${nouns.one}`, ...get.example, params }],
      handle: async (call) => json(await get.handle(call)),
    }),
    route({
      ...single,
      method: 'PUT',
      operation: `update${operations.one}`,
      summary: `Replace ${one}`,
      ...ownOf(update, ['not-found']),
      need: need('update'),
      request: { params: IdParameter, ...query, body: update.body },
      responses: { 200: { description: `The ${nouns.one} as it is now.`, schema } },
      examples: [{ ...update.example, params }],
      handle: async (call) => json(await update.handle(call)),
    }),
    route({
      ...single,
      method: 'DELETE',
      operation: `delete${operations.one}`,
      summary: `Delete ${one}`,
      ...ownOf(collection.delete, ['not-found']),
      need: need('delete'),
      request: { params: IdParameter },
      responses: { 204: { description: 'Deleted.' } },
      examples: [{ summary: 'Delete', params }],
      handle: async (call) => {
        await collection.delete.handle(call);
        return empty();
      },
    }),
  ];
}

const ownOf = (
  { summary, description, errors = [], changesRights }: Omit<Own<unknown>, 'handle'>,
  always: readonly ErrorCode[] = [],
) => ({
  ...(summary !== undefined && { summary }),
  ...(description !== undefined && { description }),
  ...(changesRights !== undefined && { changesRights }),
  errors: [...always, ...errors],
});
