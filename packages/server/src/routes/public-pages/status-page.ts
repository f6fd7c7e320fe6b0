import { httpError } from '@millrace/api/errors';
import { PublicStatus, StatusPage, WriteStatusPage } from '@millrace/api/schemas/status-page';
import { monitorRights } from '@millrace/alerts/monitor-rights';
import { incidentsIn } from '@millrace/alerts/state/incidents';
import { publicStatus, shownDays } from '@millrace/alerts/status-page/public-status';
import { statusPage, writeStatusPage } from '@millrace/alerts/status-page/stored-page';
import { userIdOf } from '@millrace/http/access/identity';
import { json, route, type Route } from '@millrace/http/route';
import { timestamp } from '@millrace/metadata/clock';
import type { Deps } from '../deps.js';
import { statusHtml } from './status-html.js';

const tag = 'Status page';
const path = '/v2/status-page';
const example = {
  enabled: true,
  title: 'Status of the shop',
  monitors: [{ monitorId: 'mon_5f2b7c1e9a4d3b6c8e0f1a2b', name: 'Checkout' }],
};

/** Readers of a public page share one calculation for this long. */
const cacheMilliseconds = 15_000;
/** An incident that opened before the shown days may still be open in them. */
const earlierDays = 60;

/** The public status page, and its settings, which have the rights of monitors. */
export function statusPageRoutes({ metadata, alerts, clock }: Deps): readonly Route[] {
  const rights = monitorRights(metadata);
  let known: { readonly at: number; readonly status: Promise<PublicStatus> } | undefined;

  const count = async (): Promise<PublicStatus> => {
    const page = await statusPage(metadata);
    const now = clock();
    const ids = new Set(page.monitors.map(({ monitorId }) => monitorId));
    const startTime = new Date(now - (shownDays + earlierDays) * 86_400_000).toISOString();
    return publicStatus(page, {
      monitors: await metadata.monitors.list(),
      statuses: await alerts.states.status(),
      incidents: await incidentsIn({ startTime }, now, ids, metadata.database),
      now,
    });
  };
  /** @throws HttpError `route-not-found` while the page is off */
  const statusData = async (shownPath: string): Promise<PublicStatus> => {
    if (!(await statusPage(metadata)).enabled) throw httpError('route-not-found', { method: 'GET', path: shownPath });
    const now = clock();
    if (known === undefined || Math.abs(now - known.at) >= cacheMilliseconds) {
      const status = count();
      known = { at: now, status };
      status.catch(() => void (known = undefined));
    }
    return known.status;
  };
  return [
    route({
      method: 'GET',
      path,
      operation: 'getStatusPage',
      tag,
      summary: 'Get the status page',
      need: { scope: 'org', resource: 'monitors', action: 'read' },
      request: {},
      responses: { 200: { description: 'Its settings.', schema: StatusPage } },
      examples: [{ summary: 'Settings' }],
      handle: async () => json(await statusPage(metadata)),
    }),
    route({
      method: 'PUT',
      path,
      operation: 'replaceStatusPage',
      tag,
      summary: 'Replace the status page',
      description:
        'While it is enabled, anyone can read the names given here and the states of these monitors at `/status`. Adding a monitor needs query rights on what it reads.',
      need: { scope: 'org', resource: 'monitors', action: 'update' },
      request: { body: WriteStatusPage },
      responses: { 200: { description: 'The new settings.', schema: StatusPage } },
      errors: ['not-found'],
      examples: [{ summary: 'One monitor', body: example }],
      handle: async ({ body, principal, require }) => {
        const before = await statusPage(metadata);
        const present = new Set(before.enabled ? before.monitors.map(({ monitorId }) => monitorId) : []);
        for (const { monitorId } of body.monitors)
          if (!present.has(monitorId)) await rights.require(monitorId, { require });
        await writeStatusPage(metadata, { ...body, updatedAt: timestamp(clock), updatedBy: userIdOf(principal) });
        known = undefined;
        return json(await statusPage(metadata));
      },
    }),
    route({
      method: 'GET',
      path: '/status',
      operation: 'showStatusPage',
      tag,
      summary: 'The public status page',
      description: 'A page without scripts. It does not exist until the status page is enabled.',
      need: { scope: 'public' },
      page: true,
      request: {},
      responses: { 200: { description: 'The page.', mediaTypes: ['text/html'] } },
      errors: ['route-not-found'],
      examples: [{ summary: 'A browser' }],
      handle: async () => statusHtml(await statusData('/status')),
    }),
    route({
      method: 'GET',
      path: '/status.json',
      operation: 'getPublicStatus',
      tag,
      summary: 'Get the public status',
      description: 'What `/status` shows, for programs. Needs no token.',
      need: { scope: 'public' },
      request: {},
      responses: { 200: { description: 'The status.', schema: PublicStatus } },
      errors: ['route-not-found'],
      examples: [{ summary: 'Without a token' }],
      handle: async () => json(await statusData('/status.json'), 200, { 'access-control-allow-origin': '*' }),
    }),
  ];
}
