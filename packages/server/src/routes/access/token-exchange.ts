import { ExchangedToken, ExchangeToken } from '@millrace/api/schemas/sign-in';
import { noCapabilities } from '@millrace/api/schemas/capabilities';
import { json, route, type Route } from '@millrace/http/route';
import type { Deps } from '../deps.js';

/** Tokens for workloads that have one of their platform. */
export const tokenExchangeRoutes = ({ signIn }: Deps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v2/token-exchange',
    operation: 'exchangeToken',
    tag: 'Sign-in',
    summary: 'Exchange a token of a platform',
    description:
      'For jobs on GitHub Actions, Kubernetes and other platforms with OpenID Connect: a rule of the sign-in file gives the rights. A platform’s token is exchanged once.',
    need: { scope: 'public' },
    request: { body: ExchangeToken },
    responses: { 200: { description: 'An API token that expires soon.', schema: ExchangedToken } },
    errors: ['unauthenticated'],
    examples: [{ summary: 'A job', body: { token: 'eyJ…' } }],
    handle: async ({ body, identified }) => {
      const { token, expires, rule, tokenId, userId } = await signIn.workloads.exchange(body.token);
      const principal = { kind: 'api-token', tokenId, tokenName: `workload:${rule}`, userId } as const;
      identified({ ...principal, capabilities: [noCapabilities] }, `rule ${rule}`);
      return json({ token, expires, rule });
    },
  }),
];
