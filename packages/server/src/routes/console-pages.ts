import { hash, randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { type RouteResponse, bytes, empty, type Headers, route, type Route } from '@millrace/http/route';
import type { Sender } from '@millrace/http/connections/sender';
import { optional } from '@millrace/api/schemas/parts';
import type { Site } from './console-site.js';
import type { Deps } from './deps.js';
import { escapeHtml } from './public-pages/plain-page.js';

/**
 * The pages of the console. They are public and the same for all users; the console loads user data
 * below `/console/api`.
 */

const tag = 'Console';
const text = () => optional(Type.String());
const headers = Type.Object({ accept: text(), 'accept-encoding': text(), 'if-none-match': text() });
type RequestHeaders = { readonly [K in keyof typeof headers.properties]?: string };

const common = { method: 'GET', tag, need: { scope: 'public' }, page: true } as const;
const page = { description: 'The page.', mediaTypes: ['text/html'] };
const notBuilt = { description: 'The console is not built; the page says how to build it.', mediaTypes: ['text/html'] };

export function consolePageRoutes({ settings, site }: Deps): readonly Route[] {
  if (!settings.console) return [];
  return [
    route({
      ...common,
      path: '/',
      operation: 'openConsole',
      summary: 'Where browsers begin',
      request: { headers },
      responses: { 302: { description: 'Redirect to the console, for clients that accept HTML.' } },
      errors: ['route-not-found'],
      examples: [{ summary: 'A browser', headers: { accept: 'text/html' } }],
      handle: ({ headers: { accept }, sender: { prefix } }) => {
        if (!acceptsPages(accept)) throw httpError('route-not-found', { method: 'GET', path: '/' });
        return empty(302, { location: `${prefix}/console/` });
      },
    }),
    route({
      ...common,
      path: '/console',
      operation: 'getConsole',
      summary: 'The console',
      request: { headers },
      responses: { 200: page, 503: notBuilt },
      examples: [{ summary: 'A browser', headers: { accept: 'text/html' } }],
      handle: ({ sender }) => indexOf(site, sender),
    }),
    route({
      ...common,
      path: '/console/{path*}',
      operation: 'getConsoleFile',
      summary: 'A page or a file of the console',
      request: { params: Type.Object({ path: Type.String({ description: 'Path of a file or page.' }) }), headers },
      responses: {
        200: {
          description: 'The file, or the console page if the path is not a file.',
          mediaTypes: ['text/html', ...new Set(Object.values(mediaTypes))],
        },
        304: { description: 'Not modified.' },
        503: notBuilt,
      },
      errors: ['not-found'],
      examples: [{ summary: 'A page', params: { path: 'query' }, headers: { accept: 'text/html' } }],
      handle: async ({ params: { path }, headers, sender }) =>
        (await fileOf(site, path, headers)) ?? pageAt(site, path, headers, sender),
    }),
  ];
}

const acceptsPages = (accept = ''): boolean => accept.includes('text/html');

/**
 * Content security policy of the console: only resources of this server, only scripts from files,
 * no embedding in other pages.
 */
const policy = (nonce?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types millrace-worker',
  ].join('; ');

const pageHeaders = (nonce?: string): Headers => ({
  'content-security-policy': policy(nonce),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
});

/**
 * Placeholder of the nonce in the built page: the editor injects styles, which the content security
 * policy allows only with the nonce.
 */
const placeholder = '__CSP_NONCE__';

/**
 * The page, with the paths of its files as the browser sees them. In the built page they start with
 * `./`: below a proxy's prefix an absolute path would lead elsewhere.
 */
async function indexOf(site: Site, { prefix }: Sender): Promise<RouteResponse> {
  const index = await site.read('index.html');
  if (index === undefined) return bytes(unbuiltPage, 'text/html; charset=utf-8', 503);
  const nonce = randomBytes(16).toString('base64url');
  const page = index
    .toString()
    .replaceAll(placeholder, nonce)
    .replaceAll(/\b(src|href)="\.\//g, `$1="${escapeHtml(prefix)}/console/`);
  return bytes(page, 'text/html; charset=utf-8', 200, pageHeaders(nonce));
}

/** A path without a file is a page of the console, unless only a file can be meant. */
async function pageAt(site: Site, path: string, { accept }: RequestHeaders, sender: Sender): Promise<RouteResponse> {
  const isFile = path.startsWith('assets/') || (/\.\w+$/.test(path) && !acceptsPages(accept));
  if (isFile || path === 'api' || path.startsWith('api/')) throw httpError('not-found', { kind: 'file', name: path });
  return indexOf(site, sender);
}

/** Precompressed variants of a file, next to it. */
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

async function fileOf(site: Site, path: string, given: RequestHeaders): Promise<RouteResponse | undefined> {
  const ending = /\.(\w+)$/.exec(path)?.[1];
  const mediaType =
    ending === undefined || !Object.hasOwn(mediaTypes, ending)
      ? undefined
      : mediaTypes[ending as keyof typeof mediaTypes];
  if (mediaType === undefined) return undefined;
  const content = await site.read(path);
  if (content === undefined) return undefined;
  // The name of a file there changes with its content.
  if (path.startsWith('assets/')) {
    const cached = { 'cache-control': 'public, max-age=31536000, immutable' };
    return sendFile(site, path, content, mediaType, given, cached);
  }
  const etag = `"${hash('sha256', content, 'hex').slice(0, 32)}"`;
  const cached = { 'cache-control': 'no-cache', etag };
  if (given['if-none-match'] === etag) return empty(304, cached);
  return sendFile(site, path, content, mediaType, given, cached);
}

async function sendFile(
  site: Site,
  path: string,
  content: Buffer,
  mediaType: string,
  { 'accept-encoding': accepted = '' }: RequestHeaders,
  cached: Headers,
): Promise<RouteResponse> {
  const all = { ...pageHeaders(), ...cached, vary: 'Accept-Encoding' };
  const names = accepted.split(',').map((name) => name.trim().toLowerCase());
  for (const { name, ending } of encodings) {
    const smaller = names.includes(name) ? await site.read(path + ending) : undefined;
    if (smaller !== undefined) return bytes(smaller, mediaType, 200, { ...all, 'content-encoding': name });
  }
  return bytes(content, mediaType, 200, all);
}

const mediaTypes = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
} as const;

const unbuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Millrace</title>
<h1>The console is not built</h1>
<p>The server runs, and takes events and queries. Its pages are missing: run <code>npm run build</code> in the repository and load this page again, or name a built console with <code>MILLRACE_CONSOLE_DIR</code>.</p>
</html>
`;
