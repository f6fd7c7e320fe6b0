import type { request } from '../../../../tests/support/server-process.js';

/** Sends an API request as the owner. */
export type Send = typeof request extends (server: never, ...rest: infer Rest) => infer Answer
  ? (...rest: Rest) => Answer
  : never;

interface Resource {
  readonly list: string;
  /** Path of one resource; undefined for one that stays. */
  readonly path: (one: Readonly<Record<string, string>>) => string | undefined;
}

/** The audit log cannot be deleted; `shop` is filled again. */
const permanent: ReadonlySet<string> = new Set(['millrace-audit', 'shop']);

/** Dependent resources first. */
const resources: readonly Resource[] = [
  { list: '/v2/slos', path: ({ id }) => `/v2/slos/${id}` },
  { list: '/v2/monitors', path: ({ id }) => `/v2/monitors/${id}` },
  { list: '/v2/notifiers', path: ({ id }) => `/v2/notifiers/${id}` },
  { list: '/v2/silences', path: ({ id }) => `/v2/silences/${id}` },
  { list: '/v2/dashboards', path: ({ uid }) => `/v2/dashboards/uid/${uid}` },
  { list: '/v2/views', path: ({ id }) => `/v2/views/${id}` },
  { list: '/v2/apl-starred-queries', path: ({ id }) => `/v2/apl-starred-queries/${id}` },
  { list: '/v2/annotations', path: ({ id }) => `/v2/annotations/${id}` },
  { list: '/v2/sources', path: ({ id }) => `/v2/sources/${id}` },
  { list: '/v2/tokens', path: ({ id }) => `/v2/tokens/${id}` },
  { list: '/v2/datasets', path: ({ name = '' }) => (permanent.has(name) ? undefined : `/v2/datasets/${name}`) },
];

/** Deletes what the tests of a file have made, so that those of the next file do not see it. */
export async function resetServer(send: Send): Promise<void> {
  for (const { list, path } of resources) {
    const { status, body } = await send(list);
    if (status !== 200) throw new Error(`${list}: ${status} ${JSON.stringify(body)}`);
    const paths = (body as readonly Readonly<Record<string, string>>[]).flatMap((one) => path(one) ?? []);
    await Promise.all(
      paths.map(async (one) => {
        const deleted = await send(one, { method: 'DELETE' });
        if (deleted.status >= 300 && deleted.status !== 404)
          throw new Error(`${one}: ${deleted.status} ${JSON.stringify(deleted.body)}`);
      }),
    );
  }
}
