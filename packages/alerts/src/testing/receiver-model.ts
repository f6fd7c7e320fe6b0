import type { Notifier } from '@millrace/api/schemas/notifier';
import { destinationOf } from '@millrace/api/schemas/notifier';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import { groupKey } from '../evaluate/evaluation.js';
import { failingGroup } from '../state/monitor-failure.js';
import type { Label } from '../evaluate/result-table.js';
import { incidentOf } from '../outbox/compose.js';
import { summaryKey } from '../outbox/next-message.js';
import type { HttpRequest } from '../channels/channel.js';

/**
 * Computes the open incidents at receivers from the messages that arrived: PagerDuty incidents by
 * key, and the groups in the lines that a webhook received.
 */

interface OpenAtReceivers {
  /** `destination incident` */
  readonly incidents: ReadonlySet<string>;
  /** `destination monitor group` */
  readonly lines: ReadonlySet<string>;
}

interface WebhookBody {
  readonly action: string;
  readonly event: { readonly monitorID: string; readonly body: string; readonly matchedEvent: unknown };
}
interface PagerdutyBody {
  readonly routing_key: string;
  readonly event_action: string;
  readonly dedup_key: string;
}

export function openAtReceivers(received: readonly HttpRequest[]): OpenAtReceivers {
  const [incidents, lines] = [new Set<string>(), new Set<string>()];
  const set = (open: Set<string>, key: string, isOpen: boolean) => (isOpen ? open.add(key) : open.delete(key));
  for (const { url, body } of received) {
    const sent = JSON.parse(body) as WebhookBody | PagerdutyBody;
    if ('event_action' in sent) {
      const destination = destinationOf({ pagerduty: { routingKey: sent.routing_key } });
      set(incidents, `${destination} ${sent.dedup_key}`, sent.event_action === 'trigger');
    } else if (sent.event.matchedEvent === null)
      for (const line of sent.event.body.split('\n')) {
        const group = /\((?:g|monitor): (.*)\)$/.exec(line)?.[1] ?? '';
        set(lines, `${destinationOf({ webhook: { url } })} ${sent.event.monitorID} ${group}`, sent.action === 'Open');
      }
  }
  return { incidents, lines };
}

/**
 * Keys of the messages that arrived, in the order of arrival: by `destination monitor`, and for
 * PagerDuty by `destination incident monitor`. Its resolutions have none. Matching events are
 * apart: what a failing monitor tells does not wait for them.
 */
export function keysOfMessages(received: readonly HttpRequest[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { url, body, headers } of received) {
    const sent = JSON.parse(body) as WebhookBody | PagerdutyBody;
    const isIncident = 'event_action' in sent;
    if (isIncident && sent.event_action !== 'trigger') continue;
    const destination = isIncident ? `${sent.routing_key} ${sent.dedup_key}` : url;
    const monitorId = isIncident ? /mon_[0-9a-f_]+/.exec(sent.dedup_key)?.[0] : sent.event.monitorID;
    const isEvent = !isIncident && sent.event.matchedEvent !== null;
    const name = `${destination} ${isEvent ? 'event ' : ''}${monitorId}`;
    const key = isIncident ? body : (headers['idempotency-key'] ?? '');
    found.set(name, [...(found.get(name) ?? []), key]);
  }
  return found;
}

/** Messages that arrived again after a later message. */
export const outOfOrder = (keys: readonly string[]): readonly string[] =>
  keys.filter((key, i) => key !== keys[i - 1] && keys.indexOf(key) < i);

interface FollowedMonitor {
  readonly monitor: StoredMonitor;
  readonly notifiers: readonly Notifier[];
  readonly openGroups: readonly OpenGroup[];
  readonly isFailing: boolean;
}

interface OpenGroup {
  readonly labels: readonly Label[];
  /** Whether a notifier has to have it open, or may. */
  readonly needs: (notifierId: string) => 'yes' | 'maybe' | 'no';
}

/**
 * Finds differences: incidents open at receivers for groups that are closed, and open groups that
 * receivers do not have.
 */
export function mistakesOf(
  { incidents, lines }: OpenAtReceivers,
  followed: readonly FollowedMonitor[],
): { readonly forgotten: readonly string[]; readonly missing: readonly string[] } {
  const [left, missing] = [new Set([...incidents, ...lines]), [] as string[]];
  for (const { monitor, notifiers, openGroups, isFailing } of followed)
    for (const { id, properties } of notifiers) {
      const destination = destinationOf(properties);
      const summary = `${destination} ${incidentOf(monitor.id, summaryKey)}`;
      let isSummarized = false;
      for (const { labels, needs } of openGroups) {
        if (needs(id) === 'no') continue;
        const key =
          properties.pagerduty === undefined
            ? `${destination} ${monitor.id} ${labels.join()}`
            : `${destination} ${incidentOf(monitor.id, groupKey(labels))}`;
        if (left.delete(key)) continue;
        if (incidents.has(summary)) isSummarized = true;
        else if (needs(id) === 'yes') missing.push(`${monitor.name}: ${key}`);
      }
      if (isSummarized) left.delete(summary);
      if (!isFailing) continue;
      const failure =
        properties.pagerduty === undefined
          ? `${destination} ${monitor.id} ${failingGroup}`
          : `${destination} ${incidentOf(monitor.id, failingGroup)}`;
      if (!left.delete(failure)) missing.push(`${monitor.name}: ${failure}`);
    }
  return { forgotten: [...left], missing };
}
