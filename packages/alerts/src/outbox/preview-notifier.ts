import type { NotifierPreview, WriteNotifier } from '@millrace/api/schemas/notifier';
import type { Settings } from '@millrace/http/settings/settings';
import { deliveryTo } from '../channels/channels.js';
import { channelOf } from '../notifier.js';
import { withOwnTexts } from '../templates/own-texts.js';
import { TemplateError } from '../templates/template-error.js';
import { consoleBase } from '@millrace/http/console-address';
import { linkTo } from './links.js';
import type { Notification } from './notification.js';
import { testNotification, withoutKey } from './test-notification.js';

type PreviewSettings = Pick<Settings, 'consoleUrl' | 'messageLinks' | 'opsgenieUrl' | 'templateSteps'>;

/** Renders the notifications of an unsaved notifier: opening, closing and a matching event. */
export function previewNotifier(
  notifier: WriteNotifier,
  now: string,
  { consoleUrl, messageLinks, opsgenieUrl, templateSteps }: PreviewSettings,
): readonly NotifierPreview[] {
  const opened = testNotification(now);
  const matchedEvent = { _time: now, level: 'error', msg: 'it said "no"' };
  const events: Readonly<Record<NotifierPreview['event'], Notification>> = {
    Open: opened,
    Closed: {
      ...opened,
      action: 'Closed',
      body: 'Current value of 40 is no longer above the threshold value of 41',
      value: 40,
    },
    Match: { ...opened, matchedEvent, body: JSON.stringify(matchedEvent), value: 0 },
  };
  const channel = channelOf(notifier.properties);
  const exampleLink =
    consoleUrl === undefined || messageLinks === 0 ? undefined : `${consoleBase(consoleUrl)}/respond/…`;
  const link = linkTo(opened.monitorId, consoleUrl);
  return Object.entries(events).map(([name, notification]) => {
    const event = name as NotifierPreview['event'];
    try {
      const respond = event === 'Open' ? exampleLink : undefined;
      const context = { id: 'test', link, respond, opsgenieUrl, templateSteps, now: Date.parse(now) };
      const delivery = deliveryTo(channel, withOwnTexts(notification, notifier, context), context);
      if (delivery.kind === 'mail') return { event, body: delivery.mails[0]?.text ?? '' };
      const { url, body } = delivery.request;
      return { event, url: new URL(url).origin, body: withoutKey(body, notifier) };
    } catch (error) {
      if (error instanceof TemplateError) return { event, problem: error.message };
      throw error;
    }
  });
}
