import { Type } from 'typebox';
import { HttpError, httpError } from '@millrace/api/errors';
import { route, type Route, type RouteResponse } from '@millrace/http/route';
import type { Deps } from '../deps.js';
import { donePage, missingPage, respondPage, snoozeMinutes } from './message-link-page.js';

const tag = 'Message links';
const path = '/console/respond/{token}';
const params = Type.Object({
  token: Type.String({ maxLength: 512, description: 'Signed part of a link in a message; it expires.' }),
});
const page = { description: 'The page.', mediaTypes: ['text/html'] };
const notFoundResponse = {
  description: 'The link is wrong, has expired, or its monitor or notifier was deleted.',
  mediaTypes: ['text/html'],
};
const common = { path, tag, need: { scope: 'public' }, page: true, secretPath: true } as const;

/** Longest name that is kept. */
const longestName = 100;

/**
 * Links in messages by which receivers acknowledge or snooze without signing in. A GET only shows
 * what would be done: programs that look at links in messages must change nothing.
 */
export function messageLinkRoutes({ alerts: { responses } }: Deps): readonly Route[] {
  const respondOrMissing = async (respond: () => Promise<RouteResponse>): Promise<RouteResponse> => {
    try {
      return await respond();
    } catch (error) {
      if (error instanceof HttpError && error.code === 'not-found') return missingPage();
      throw error;
    }
  };
  return [
    route({
      ...common,
      method: 'GET',
      operation: 'showMessageLink',
      summary: 'Page to acknowledge or snooze what a message is about',
      request: { params },
      responses: { 200: page, 404: notFoundResponse },
      examples: [{ summary: 'A browser', params: { token: 'bWVzc2FnZQ.t4x1c0.AAAAAAAAAAAAAAAAAAAAAA' } }],
      handle: ({ params: { token } }) => respondOrMissing(async () => respondPage(await responses.read(token))),
    }),
    route({
      ...common,
      method: 'POST',
      operation: 'useMessageLink',
      summary: 'Acknowledge or snooze what a message is about',
      description:
        'A form with `action` (`acknowledge`, or `snooze` with `minutes`) and the `name` of the person, which is not verified. Only groups of the message that are still open are affected.',
      request: { params, body: 'bytes' },
      bodyTypes: ['application/x-www-form-urlencoded'],
      maxBodyBytes: 4096,
      responses: { 200: page, 404: notFoundResponse },
      errors: ['invalid-request'],
      examples: [
        {
          summary: 'Acknowledge',
          params: { token: 'bWVzc2FnZQ.t4x1c0.AAAAAAAAAAAAAAAAAAAAAA' },
          body: 'action=acknowledge&name=Ann',
        },
      ],
      handle: ({ params: { token }, body, identified, principal }) =>
        respondOrMissing(async () => {
          const form = new URLSearchParams(Buffer.from(body).toString());
          const name = nameIn(form);
          const minutes = minutesIn(form);
          if (minutes === undefined) {
            const message = await responses.acknowledge(token, name);
            identified(principal, subjectOf(message.monitor.id, 'acknowledge', name));
            return donePage(message, { kind: 'acknowledged' });
          }
          const silences = await responses.snooze(token, minutes, name);
          const message = await responses.read(token);
          identified(principal, subjectOf(message.monitor.id, `snooze ${minutes} min`, name));
          return donePage(message, { kind: 'snoozed', minutes, silences });
        }),
    }),
  ];
}

const subjectOf = (monitorId: string, what: string, name: string): string =>
  [monitorId, what, ...(name === '' ? [] : [name])].join(', ');

const nameIn = (form: URLSearchParams): string =>
  (form.get('name') ?? '')
    .replaceAll(/[\p{Cc}]/gu, ' ')
    .trim()
    .slice(0, longestName);

/** Undefined to acknowledge. @throws HttpError `invalid-request` */
function minutesIn(form: URLSearchParams): number | undefined {
  const action = form.get('action');
  if (action === 'acknowledge') return undefined;
  const minutes = Number(form.get('minutes') ?? (action ?? '').replace(/^snooze-/, ''));
  if (action?.startsWith('snooze') !== true || !snoozeMinutes.some((each) => each === minutes))
    throw httpError('invalid-request', {
      problem: `body 'action' must be acknowledge, or snooze with 'minutes' ${snoozeMinutes.join(', ')}`,
    });
  return minutes;
}
