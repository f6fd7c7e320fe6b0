import type { NotifierPreview, WriteNotifier } from '../../schemas/notifier.js';
import type { Settings } from '../../settings/settings.js';
import { deliveryTo } from '../channels/channels.js';
import { channelOf } from '../notifier.js';
import { TemplateError } from '../templates/template-error.js';
import { linkTo } from './links.js';
import type { Notification } from './notification.js';
import { testNotification, withoutKey } from './test-notification.js';

/** What a notifier makes of an opening, a closing and an event that matches, before it is kept. */
export function previewNotifier(
  notifier: WriteNotifier,
  now: string,
  { consoleUrl, opsgenieUrl, templateSteps }: Pick<Settings, 'consoleUrl' | 'opsgenieUrl' | 'templateSteps'>,
): readonly NotifierPreview[] {
  const opened = testNotification(now);
  const matchedEvent = { _time: now, level: 'error', msg: 'it said "no"' };
  const events: Readonly<Record<NotifierPreview['event'], Notification>> = {
    Open: opened,
    Closed: { ...opened, action: 'Closed', body: 'Current value of 40 is no longer above the threshold value of 41', value: 40 }, // prettier-ignore
    Match: { ...opened, matchedEvent, body: JSON.stringify(matchedEvent), value: 0 },
  };
  const channel = channelOf(notifier.properties);
  const link = linkTo(opened.monitorId, consoleUrl);
  return Object.entries(events).map(([name, notification]) => {
    const event = name as NotifierPreview['event'];
    try {
      const delivery = deliveryTo(channel, notification, { id: 'test', link, opsgenieUrl, templateSteps });
      if (delivery.kind === 'mail') return { event, body: delivery.mails[0]?.text ?? '' };
      const { url, body } = delivery.request;
      return { event, url: new URL(url).origin, body: withoutKey(body, notifier) };
    } catch (error) {
      if (error instanceof TemplateError) return { event, problem: error.message };
      throw error;
    }
  });
}
