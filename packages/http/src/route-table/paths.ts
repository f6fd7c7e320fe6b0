import type { ErrorFormat } from '../errors/error-format.js';
import { type Method, namingOf, type Route } from '../route.js';

/** Paths of the route table, such as `/v2/datasets/{id}`, and conversions of them. */

/**
 * Path in the router's syntax: `/v2/datasets/:id`, and `/console/*` for `/console/{path*}`, which
 * matches the rest of a path.
 */
export const routerPath = (path: string): string =>
  path.replaceAll(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => (rest === '' ? `:${name}` : '*'));

/** Parameters under their own names; the router calls the rest of a path `*`. */
export function ownNames(path: string, found: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name] = /\{(\w+)\*\}/.exec(path) ?? [];
  if (name === undefined) return found;
  const { '*': rest = '', ...others } = found;
  return { ...others, [name]: rest };
}

/**
 * Finds a superfluous prefix of a path without a route. Clients append `/v1/…` to the configured
 * URL: if that URL has a path, they request for example `/v1/v1/…`.
 */
export function prefixBefore(routes: readonly Pick<Route, 'path'>[], path: string): string | undefined {
  for (const { index } of path.matchAll(/\/v\d+(?=\/)/g)) {
    const rest = path.slice(index);
    if (index > 0 && routes.some((route) => isAt(route, rest))) return path.slice(0, index);
  }
  return undefined;
}

/**
 * Normalizes the URL of a request to the form of the route table. Accepts the prefix `/api` of the
 * API's first version: older clients, such as earlier versions of next-axiom, have it hard-coded.
 */
export function presentUrl(sent: string): string {
  const url = withoutEmptyParts(sent);
  if (url.startsWith('/api/v1/')) return url.slice('/api'.length);
  return url.startsWith(`${consoleApi}/`) && !ownPath.test(url) ? url.slice(consoleApi.length) : url;
}

/**
 * Collapses slashes: clients that append `/_bulk` are often configured with a URL that ends in a
 * slash.
 */
function withoutEmptyParts(url: string): string {
  if (!url.includes('//')) return url;
  const [path, ...query] = url.split(/(?=\?)/);
  return path!.replaceAll(/\/{2,}/g, '/') + query.join('');
}

/** Second mount of the route table, for signed-in browsers; see `console-mount.ts`. */
export const consoleApi = '/console/api';

/** The routes below `consoleApi` that exist only there. */
const ownPath = /^\/console\/api\/session(?:\/proxy)?\/?(?:[?#]|$)/;

/** Names of a path's parameters, in order. */
export const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\*?\}/g)].map((match) => match[1]!);

/** The path of a request to a route. */
export const fillPath = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\*?\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));

/**
 * Methods that exist for a requested path, including HEAD. If several paths match, the ones with
 * the fewest parameters win: literal segments take precedence.
 */
export function methodsOf(routes: readonly Route[], path: string): readonly string[] {
  return methodsOfMatching(routes.filter((route) => isAt(route, path)));
}

function methodsOfMatching(matching: readonly Route[]): readonly RouterMethod[] {
  const counts = matching.map(({ path }) => shapeOf(path).parameters);
  const fewest = Math.min(...counts);
  return [...new Set(matching.filter((_, i) => counts[i] === fewest).flatMap(methodsServed))];
}

/** A GET route also serves HEAD, unless it rejects it. */
const methodsServed = ({ method, refusesHead }: Pick<Route, 'method' | 'refusesHead'>): readonly RouterMethod[] =>
  method === 'GET' && refusesHead !== true ? ['GET', 'HEAD'] : [method];

type RouterMethod = Method | 'HEAD';

/**
 * Paths with the methods that they lack but the router would find under another path:
 * `GET /v1/datasets/_apl` would ask for a dataset of that name.
 */
export function wrongMethodHints(
  routes: readonly Route[],
): readonly { readonly path: string; readonly methods: readonly RouterMethod[] }[] {
  return [...new Set(routes.map(({ path }) => path))].flatMap((path) => {
    const sent = path.replaceAll(/\{\w+\}/g, '0');
    const matching = routes.filter((route) => isAt(route, sent));
    const own = methodsOfMatching(matching);
    const methods = [...new Set(matching.flatMap(methodsServed))].filter((method) => !own.includes(method));
    return methods.length === 0 ? [] : [{ path, methods }];
  });
}

/** Whether a route serves a request path. */
function isAt({ path }: Pick<Route, 'path'>, requested: string): boolean {
  return requested.startsWith(shapeOf(path).literal) && patternOf(path).test(requested);
}

interface Shape {
  /** What precedes the first parameter: most paths differ there. */
  readonly literal: string;
  readonly parameters: number;
}

// Cached: startup compares every path with every other.
const shapes = new Map<string, Shape>();

function shapeOf(path: string): Shape {
  const known = shapes.get(path);
  if (known !== undefined) return known;
  const [literal = ''] = path.split('{', 1);
  const shape = { literal, parameters: parameterNames(path).length };
  shapes.set(path, shape);
  return shape;
}

/** Pattern for the request paths of a route; with `below`, also for paths below it. */
export function patternOf(path: string, below?: 'below'): RegExp {
  const patterns = below === undefined ? patternsOfPaths : patternsBelowPaths;
  const known = patterns.get(path) ?? newPattern(path, below);
  patterns.set(path, known);
  return known;
}

// Cached for all paths of the table: a request without a route is compared with all.
const patternsOfPaths = new Map<string, RegExp>();
const patternsBelowPaths = new Map<string, RegExp>();

function newPattern(path: string, below: 'below' | undefined): RegExp {
  const text = path
    .split(/(\{\w+\*?\})/)
    .map((part, i) =>
      i % 2 === 0 ? part.replaceAll(/[.*+?^$|()[\]\\]/g, String.raw`\$&`) : part.endsWith('*}') ? '.+' : '[^/]+',
    )
    .join('');
  return new RegExp(below === undefined ? `^${text}/?$` : `^${text}(/|$)`);
}

/**
 * @throws Error if two routes are the same, or a route does not describe a parameter that its path
 * or need names
 */
export function checkTable(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { method, path, operation, need, request } of routes) {
    for (const key of [`${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`, `operation ${operation}`]) {
      if (seen.has(key)) throw new Error(`two routes are ${key}`);
      seen.add(key);
    }
    const declared = Object.keys(request.params?.properties ?? {}).sort();
    const named = [...parameterNames(path)].sort();
    if (declared.join() !== named.join())
      throw new Error(`${operation}: path has parameters ${named.join()}, schema has ${declared.join()}`);
    const naming = namingOf(need);
    if (naming?.in === 'path' && !named.includes(naming.name)) {
      throw new Error(`${operation}: needs a right on parameter ${naming.name}, which its path does not have`);
    }
    if (naming?.in === 'header' && !request.headers?.required?.includes(naming.name as never)) {
      throw new Error(`${operation}: needs a right on what header ${naming.name} names, which it does not require`);
    }
  }
}

/** Error format for unknown paths below the path of a protocol, as its clients expect. */
export const errorFormBelow = (routes: readonly Route[], path: string): ErrorFormat | undefined =>
  routes.find(({ shipper, path: base }) => shipper === true && patternOf(base, 'below').test(path))?.errorForm;
