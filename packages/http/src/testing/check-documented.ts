import { Value } from 'typebox/value';
import { errorTable } from '@millrace/api/errors';
import { errorsOf } from '../route-table/describe-route.js';
import { errorFormBelow, parameterNames, presentUrl } from '../route-table/paths.js';
import type { Route } from '../route.js';

/** Checks a response against the route table; applied to every response of a test server. */

export interface AnsweredRequest {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

/** Errors that come before any route is chosen. */
const beforeRoutes = [
  'route-not-found',
  'route-behind-prefix',
  'route-not-served',
  'method-not-allowed',
  'url-too-long',
  'invalid-url',
  'bad-http',
  'not-from-console',
  'unsupported-content-type',
] as const;

/** @throws Error that describes how the response differs from the documentation */
export function checkDocumented(routes: readonly Route[], answered: AnsweredRequest): void {
  const { method, url, status, mediaType, body } = answered;
  const where = `${method} ${url} → ${status}`;
  const route = routeOf(routes, method === 'HEAD' ? 'GET' : method, url);
  const response = route?.responses[status];
  // Shippers' APIs are not documented here; their tests check the responses.
  const [path = ''] = url.split('?');
  if (method === 'HEAD' || route?.shipper === true || errorFormBelow(routes, path) !== undefined) return;
  if (route !== undefined && response !== undefined) {
    const described = response.mediaTypes ?? (response.schema === undefined ? undefined : ['application/json']);
    if (described === undefined) return;
    const which = described.findIndex((type) => mediaType.startsWith(type));
    if (which < 0) throw new Error(`${where}: media type ${mediaType}`);
    // The schema is for the first media type.
    if (response.schema === undefined || which > 0) return;
    const [problem] = Value.Errors(response.schema, body);
    if (problem !== undefined)
      throw new Error(`${where}: ${problem.instancePath} ${problem.message} in ${JSON.stringify(body)}`);
    const unknown = Object.keys((body ?? {}) as object).find((key) => isUnknownMember(response.schema, key));
    if (unknown !== undefined) throw new Error(`${where}: member ${unknown} is not documented`);
    return;
  }
  const codes = [...(route === undefined ? [] : errorsOf(route)), ...beforeRoutes];
  const statuses = new Set<number>(codes.map((code) => errorTable[code].status));
  // The status of failed authentication depends on the settings.
  if (codes.includes('unauthenticated')) statuses.add(401);
  if (!statuses.has(status)) throw new Error(`${where} is not documented: ${JSON.stringify(body)}`);
  const { errorForm } = route ?? {};
  if (errorForm !== undefined && mediaType.startsWith(errorForm.mediaType)) {
    // Other forms are checked by the tests of their routes.
    const [problem] = errorForm.schema === undefined ? [] : Value.Errors(errorForm.schema, body);
    if (problem !== undefined) throw new Error(`${where}: ${problem.message} in ${JSON.stringify(body)}`);
    return;
  }
  const shape = body as { readonly code?: unknown; readonly message?: unknown };
  if (shape?.code !== status || typeof shape.message !== 'string')
    throw new Error(`${where}: not an error body: ${JSON.stringify(body)}`);
}

function isUnknownMember(schema: object | undefined, key: string): boolean {
  if (schema === undefined || !('properties' in schema) || 'patternProperties' in schema) return false;
  return !Object.hasOwn(schema.properties as object, key);
}

/** The route that serves a request; fixed parts of a path win over parameters. */
function routeOf(routes: readonly Route[], method: string, url: string): Route | undefined {
  const [path = ''] = presentUrl(url).split(/[?#]/);
  const parts = partsOf(path);
  const fits = ({ wanted, isOpen }: Split): boolean =>
    (wanted.length === parts.length || (wanted.length < parts.length && isOpen)) &&
    wanted.every((part, i) => part.startsWith('{') || part === parts[i]);
  return splitOf(routes).find((split) => split.route.method === method && fits(split))?.route;
}

const partsOf = (path: string): readonly string[] => path.replace(/\/$/, '').split('/');

/** A route and the parts of its path. */
interface Split {
  readonly route: Route;
  readonly wanted: readonly string[];
  /** Whether its last segment matches the whole rest of a path. */
  readonly isOpen: boolean;
}

/**
 * Fewest parameters first. Cached per table, because every response of every test looks them up.
 */
const splits = new WeakMap<readonly Route[], readonly Split[]>();

function splitOf(routes: readonly Route[]): readonly Split[] {
  let known = splits.get(routes);
  if (known === undefined) {
    known = routes
      .map((route) => ({ route, wanted: partsOf(route.path), isOpen: route.path.endsWith('*}') }))
      .sort((a, b) => parameterNames(a.route.path).length - parameterNames(b.route.path).length);
    splits.set(routes, known);
  }
  return known;
}
