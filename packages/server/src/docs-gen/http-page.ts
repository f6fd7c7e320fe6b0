import type { TObject, TSchema } from 'typebox';
import { describeRouteNeed, errorsOf } from '@millrace/http/route-table/describe-route';
import { type ErrorCode, errorTable } from '@millrace/api/errors';
import { fillPath } from '@millrace/http/route-table/paths';
import type { Example, Route } from '@millrace/http/route';

/** The pages of docs/http, by file name, from the table of routes and the table of errors. */
export function httpPages(all: readonly Route[]): ReadonlyMap<string, string> {
  const routes = all.filter(({ shipper }) => shipper !== true);
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  const byTag = tags.map((tag) => ({ tag, own: routes.filter((route) => route.tag === tag) }));
  return new Map([
    [
      'README.md',
      indexPage(
        byTag,
        all.filter(({ shipper }) => shipper === true),
      ),
    ],
    ...byTag.map(
      ({ tag, own }) => [fileOf(tag), `# ${tag}\n\n${generatedMark}\n\n${own.map(routeText).join('\n')}`] as const,
    ),
    ['objects.md', `# Objects\n\n${generatedMark}\n\n${objectsOf(routes).map(objectText).join('\n')}`],
    ['errors.md', errorsPage()],
  ]);
}

const generatedMark = '<!-- Written from the table of routes by `npm run docs -w packages/server`. -->';

/** `Datasets (version 1)` → `datasets-version-1.md`. */
const fileOf = (tag: string): string =>
  `${tag
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')}.md`;

interface TaggedRoutes {
  readonly tag: string;
  readonly own: readonly Route[];
}

function indexPage(byTag: readonly TaggedRoutes[], shippers: readonly Route[]): string {
  return `# HTTP interface

${generatedMark}

\`\`\`sh
api() { curl -sS "$MILLRACE_URL$1" -H "Authorization: Bearer $MILLRACE_TOKEN" -H 'Content-Type: application/json' "\${@:2}"; }

api /v2/datasets -d '{"name":"logs"}'                                        # create a dataset
api /v1/datasets/logs/ingest -d '[{"status":500,"path":"/cart"}]'            # send events
api '/v1/datasets/_apl?format=tabular' -d '{"apl":"logs | where status >= 500 | take 10"}'
api '/v1/export?format=csv&apl=logs'                                         # export a result of any length
api /v2/tokens -d '{"name":"shipper","datasetCapabilities":{"logs":{"ingest":["create"]}}}'
api /v2/datasets/logs/trim -d '{"maxDuration":"30d"}'                        # delete older events
\`\`\`

- Send \`Authorization: Bearer <token>\` with an API token \`xaat-…\` or a personal token \`xapt-…\`, except to public routes. \`X-Axiom-Org-Id\` is optional: the token determines the [organization](../organizations.md).
- Bodies are JSON in UTF-8 unless stated otherwise. A property that is null counts as missing. Unknown properties and query parameters are ignored, but
  ingest rejects a parameter that resembles a known one, and unknown capabilities are rejected.
- Paths below \`/v1\` may also begin with \`/api/v1\`.
- Every response carries \`X-Axiom-Trace-Id\`, which is also in the server's log, and responses of the routes below \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`.
- A request is authenticated before any lookup and authorized before its body is read.
- \`GET /openapi.json\` has the same contents for programs.

[Objects](objects.md) lists the objects of requests and responses, [errors](errors.md) all error codes.

| Page | Routes |
|---|---|
${byTag.map(({ tag, own }) => `| [${tag}](${fileOf(tag)}) | ${own.map(({ method, path }) => `\`${method} ${path}\``).join('<br>')} |`).join('\n')}

${shipperText(shippers)}`;
}

const errorsPage = (): string => `# Errors

${generatedMark}

\`{"code": <status>, "message": "…"}\`; queries that do not compile add \`detail\`. The header \`X-Millrace-Error\` has the code of this table.

| Status | Code | Message |
|---|---|---|
${Object.entries(errorTable)
  .map(([code, record]) => errorRow(code, record))
  .join('\n')}
`;

function routeText(route: Route): string {
  const { params, query, headers, body } = route.request;
  const parts = [
    `## ${route.method} ${route.path}`,
    [route.summary, route.description]
      .filter((text) => text !== undefined)
      .map(sentence)
      .join(' '),
    `Needs ${describeRouteNeed(route.need)}.`,
    members('Path', params),
    members('Query', query),
    members('Headers', headers),
    body === undefined ? '' : body === 'bytes' ? 'Body: bytes, as the headers say.' : bodyText(body),
    route.errorForm?.doc ?? '',
    Object.entries(route.responses)
      .map(([status, { description, schema }]) => `\`${status}\` ${description}${titleOf(schema)}`)
      .join('<br>'),
    `Errors: ${byStatus(errorsOf(route))}.`,
    ...route.examples.slice(0, 1).map((example) => exampleText(route, example)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The paths of other products' APIs, which are documented elsewhere. */
function shipperText(routes: readonly Route[]): string {
  const paths = [...new Set(routes.map(({ path }) => path))];
  const row = (path: string): string => {
    const own = routes.filter((route) => route.path === path);
    const methods = own.map(({ method }) => method).join(', ');
    return `| ${own[0]!.tag} | ${methods} | \`${path}\` | ${own[0]!.summary} |`;
  };
  return `## Other products

Programs made for other products send and query data at these paths, in the forms of those products: [shippers.md](../shippers.md), [metrics.md](../metrics.md).

| Protocol | Methods | Path | |
|---|---|---|---|
${paths.map(row).join('\n')}
`;
}

/** Named object schemas of all routes, in the order of their names. */
function objectsOf(routes: readonly Route[]): readonly TObject[] {
  const found = new Map<string, TObject>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { title, properties } = schema as { readonly title?: unknown; readonly properties?: unknown };
    if (typeof title === 'string' && properties !== undefined) found.set(title, schema as TObject);
    Object.values(schema).forEach(visit);
  };
  for (const { request, responses } of routes) visit([request, responses]);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, schema]) => schema);
}

const objectText = (schema: TObject): string => `## ${typeText(schema)}\n\n${members('Member', schema)}\n`;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Errors that every route has; they are listed once, in the table. */
const everywhere: readonly ErrorCode[] = ['rate-limited', 'internal', 'metadata-unavailable', 'shutting-down'];
const byStatus = (codes: readonly ErrorCode[]): string => {
  const own = codes.filter((code) => !everywhere.includes(code));
  return own.length === 0 ? 'no others' : own.map((code) => `${errorTable[code].status} ${code}`).join(', ');
};

function members(what: string, schema: TObject | undefined): string {
  if (schema === undefined) return '';
  return `| ${what} | Type | |\n|---|---|---|\n${rows(schema)}`;
}

function bodyText(body: TSchema): string {
  return 'properties' in body ? members('Body', body as TObject) : `Body: ${typeText(body)}.`;
}

function rows(schema: TObject): string {
  return Object.entries(schema.properties)
    .map(([name, property]) => {
      const { description = '' } = property as { readonly description?: string };
      const mark = schema.required?.includes(name as never) ? '\\*' : '';
      return `| \`${name}\`${mark} | ${typeText(property)} | ${description} |`;
    })
    .join('\n');
}

interface SchemaDescription {
  readonly type?: string;
  readonly title?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly items?: SchemaDescription;
  readonly anyOf?: readonly SchemaDescription[];
}

function typeText(schema: TSchema | SchemaDescription): string {
  const { type, title, format, enum: values, const: only, items, anyOf } = schema as SchemaDescription;
  if (title !== undefined) return title;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (only !== undefined) return `\`${String(only)}\``;
  if (anyOf !== undefined) return anyOf.map(typeText).join(' or ');
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeText(items)}`;
  return format === 'date-time' ? 'time' : (type ?? 'anything');
}

const titleOf = (schema: TSchema | undefined): string => (schema === undefined ? '' : ` (${typeText(schema)})`);

function exampleText(
  { method, path, need }: Route,
  { params = {}, query = {}, headers = {}, body, answer }: Example,
): string {
  const search = new URLSearchParams(query).toString();
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'http://localhost:8080${fillPath(path, params)}${search === '' ? '' : `?${search}`}'`,
    ...(need.scope === 'public' ? [] : [`  -H "Authorization: Bearer $TOKEN"`]),
    ...Object.entries(headers).map(([name, value]) => `  -H '${name}: ${value}'`),
    ...(body === undefined
      ? []
      : [`  -d '${(typeof body === 'string' ? body : JSON.stringify(body)).replaceAll("'", String.raw`'\''`)}'`]),
  ];
  const command = lines.join(' \\\n');
  const result = answer === undefined ? '' : `\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\n`;
  return `\`\`\`sh\n${command}\n\`\`\`${result}`;
}

function errorRow(
  code: string,
  { status, message, hint }: { readonly status: number; readonly message: string; readonly hint?: string },
): string {
  const text = hint === undefined ? message : `${message}; ${hint}`;
  return `| ${status} | ${code} | ${text.replaceAll('|', String.raw`\|`)} |`;
}
