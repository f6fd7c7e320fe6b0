import type { Capabilities } from '@millrace/api/schemas/capabilities';
import { httpError } from '@millrace/api/errors';
import {
  AnswerDevice,
  DeviceCode,
  DeviceToken,
  StartDevice,
  StartedDevice,
  UserCode,
  WaitingDevice,
} from '@millrace/api/schemas/sign-in';
import { RateLimit } from '@millrace/http/access/rate-limit';
import type { AuthenticatedPrincipal, Principal } from '@millrace/http/access/authorize';
import { empty, json, route, type Route } from '@millrace/http/route';
import type { DeviceRequest } from '@millrace/metadata/sign-in/device-codes';
import type { Deps } from '../deps.js';

const tag = 'Sign-in';
const interval = 5;
const defaultSeconds = 12 * 3600;
/** Codes that a user may try per minute, so that they cannot be guessed. */
const triesPerMinute = 10;
const example = { userCode: 'BCDF-GHJK' };

/** Sign-in of programs, such as `millrace login`: a person confirms them in the console. */
export function deviceCodeRoutes({ metadata, settings, clock }: Deps): readonly Route[] {
  const { deviceCodes, tokens } = metadata;
  const tries = new RateLimit(() => triesPerMinute, clock);
  /** The waiting program of a code that a user typed. */
  const requestTyped = async (userCode: string, principal: Principal): Promise<DeviceRequest> => {
    const limit = tries.take(personOf(principal).userId);
    if (!limit.allowed) throw httpError('rate-limited', { limit: limit.limit });
    const found = await deviceCodes.findByUserCode(userCode);
    if (found === undefined || found.userId !== undefined)
      throw httpError('not-found', { kind: 'code', name: userCode });
    return found;
  };
  return [
    route({
      method: 'POST',
      path: '/v2/device-codes',
      operation: 'startDevice',
      tag,
      summary: 'Ask for a personal token',
      description: 'The user types the code at `path` and allows it.',
      need: { scope: 'public' },
      request: { body: StartDevice },
      responses: { 200: { description: 'The codes.', schema: StartedDevice } },
      examples: [{ summary: 'A laptop', body: { name: 'millrace on laptop' } }],
      handle: async ({ body: { name, seconds = defaultSeconds }, sender }) => {
        const request = { name, address: sender.address, lifetime: seconds * 1000 };
        const codes = await deviceCodes.create(request, settings.maxDeviceCodes);
        return json({ ...codes, path: '/console/device', interval });
      },
    }),
    route({
      method: 'POST',
      path: '/v2/device-codes/token',
      operation: 'getDeviceToken',
      tag,
      summary: 'Get the token that the user allowed',
      need: { scope: 'public' },
      request: { body: DeviceCode },
      responses: { 200: { description: 'The token, or that the user has not answered.', schema: DeviceToken } },
      errors: ['not-found'],
      examples: [{ summary: 'Wait', body: { deviceCode: 'xyz' } }],
      handle: async ({ body: { deviceCode }, identified }) => {
        const found = await deviceCodes.findByDeviceCode(deviceCode);
        const over = () => httpError('not-found', { kind: 'code', name: '(expired, denied or used)' });
        if (found === undefined) throw over();
        const { userId, name, lifetime, within, identityId } = found;
        if (userId === undefined) return json({ state: 'waiting' });
        if (!(await deviceCodes.take(deviceCode))) throw over();
        const expires = new Date(clock() + lifetime).toISOString();
        const issued = await tokens.create({
          kind: 'personal',
          name,
          userId,
          expires,
          identityId,
          ...(within !== undefined && { within: JSON.parse(within) as readonly Capabilities[] }),
        });
        const { id: tokenId, name: tokenName } = issued.token;
        identified({ kind: 'personal-token', tokenId, tokenName, userId, capabilities: [] }, tokenId);
        return json({ state: 'approved', id: tokenId, token: issued.secret, expires });
      },
    }),
    route({
      method: 'POST',
      path: '/v2/device-codes/find',
      operation: 'findDevice',
      tag,
      summary: 'Find the program that shows a code',
      need: { scope: 'login' },
      request: { body: UserCode },
      responses: { 200: { description: 'The program.', schema: WaitingDevice } },
      errors: ['not-found', 'rate-limited', 'protected-resource'],
      examples: [{ summary: 'A code', body: example }],
      handle: async ({ body: { userCode }, principal }) => {
        const { name, address, lifetime } = await requestTyped(userCode, principal);
        return json({ name, address, seconds: lifetime / 1000 });
      },
    }),
    route({
      method: 'POST',
      path: '/v2/device-codes/answer',
      operation: 'answerDevice',
      tag,
      summary: 'Allow or deny a program',
      description: 'Needs a personal token. An allowed program gets a personal token with your rights.',
      need: { scope: 'login' },
      request: { body: AnswerDevice },
      responses: { 204: { description: 'Answered.' } },
      errors: ['not-found', 'rate-limited', 'protected-resource'],
      examples: [{ summary: 'Allow', body: { ...example, approve: true } }],
      handle: async ({ body: { userCode, approve }, principal, identified }) => {
        const { name } = await requestTyped(userCode, principal);
        const { userId, within, identity } = personOf(principal);
        const limit = within === undefined ? {} : { within: JSON.stringify(within) };
        const vouched = identity === undefined ? {} : { identityId: identity.id };
        const done = approve
          ? await deviceCodes.approve(userCode, { userId, ...limit, ...vouched })
          : await deviceCodes.deny(userCode);
        if (!done) throw httpError('not-found', { kind: 'code', name: userCode });
        identified(principal, `${approve ? 'allowed' : 'denied'} ${name}`);
        return empty();
      },
    }),
  ];
}

/** @throws HttpError `protected-resource` for API tokens, which belong to no user */
function personOf(principal: Principal): AuthenticatedPrincipal {
  if (principal.kind !== 'personal-token')
    throw httpError('protected-resource', { reason: 'only users allow programs; use a personal token' });
  return principal;
}
