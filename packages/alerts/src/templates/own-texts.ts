import type { Notifier } from '@millrace/api/schemas/notifier';
import type { Notification } from '../outbox/notification.js';
import { renderBody, type TemplateContext } from './render-body.js';

/**
 * Replaces title and body of a notification by those of the templates of a notifier. What its
 * channel adds, such as the severity and links, stays.
 * @throws TemplateError
 */
export function withOwnTexts(
  notification: Notification,
  { titleTemplate = '', bodyTemplate = '' }: Pick<Notifier, 'titleTemplate' | 'bodyTemplate'>,
  context: TemplateContext,
): Notification {
  const renderTemplate = (template: string): string =>
    renderBody(template, notification, { isJson: false, ...context });
  return {
    ...notification,
    // A title is one line for every receiver.
    ...(titleTemplate !== '' && { title: renderTemplate(titleTemplate).replaceAll(/\s+/g, ' ').trim() }),
    ...(bodyTemplate !== '' && { body: renderTemplate(bodyTemplate), hasOwnBody: true }),
  };
}
