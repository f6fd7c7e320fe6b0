import { request, type ServerProcess } from '../support/server-process.ts';

/** Reads what a server answers about its metadata and events. */

/** Metadata routes whose resources the directory has. */
const paths = [
  '/v1/datasets',
  '/v1/datasets/logs',
  '/v1/datasets/logs/info',
  '/v1/datasets/traces/info',
  '/v1/datasets/_fields',
  '/v2/annotations',
  '/v2/apl-starred-queries',
  '/v2/dashboards',
  '/v2/dashboards/uid/traffic',
  '/v2/datasets',
  '/v2/datasets/logs',
  '/v2/datasets/logs/fields',
  '/v2/datasets/logs/fields/ratio',
  '/v2/datasets/logs/mapfields',
  '/v2/datasets/traces/fields',
  '/v2/monitors',
  '/v2/notifiers',
  '/v2/orgs',
  '/v2/rbac/groups',
  '/v2/rbac/roles',
  '/v2/tokens',
  '/v2/user',
  '/v2/users',
  '/v2/vfields?dataset=logs',
  '/v2/views',
] as const;

const queries = [
  'logs | sort by _time asc',
  'logs | project status, ratio, user, attributes, tags | sort by ratio asc',
  'logs | summarize count() by tostring(status), path | sort by path asc',
  'traces',
  'slow | count',
] as const;

/** Path or query → the answer. */
export type Answers = Readonly<Record<string, unknown>>;

/** Values that depend on the time of the request or on how the engine stores the events. */
const volatile = new Set(['lastUsedAt', 'lastUsed', 'compressedBytes', 'compressedBytesHuman', 'elapsedTime']);

export async function readAnswers(server: ServerProcess): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  for (const path of paths) answers[path] = (await request(server, path)).body;
  for (const apl of queries) {
    const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };
    const body = JSON.stringify({ apl, ...range });
    const answer = await request(server, '/v1/datasets/_apl?format=tabular&nocache=true', { body });
    const { tables } = answer.body as { readonly tables?: readonly Readonly<Record<string, unknown>>[] };
    answers[apl] = tables?.map(({ fields, columns }) => ({ fields, columns })) ?? answer.body;
  }
  for (const format of ['ndjson', 'csv']) {
    const url = `${server.url}/v1/export?apl=${encodeURIComponent('logs')}&format=${format}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${server.token}` } });
    answers[`export as ${format}`] = (await answer.text()).trimEnd().split('\n');
  }
  return JSON.parse(
    JSON.stringify(answers, (key, value: unknown) => (volatile.has(key) ? undefined : value)),
  ) as Answers;
}
