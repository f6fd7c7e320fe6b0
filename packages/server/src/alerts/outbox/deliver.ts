import type { Notifier } from '../../schemas/notifier.js';
import type { Attempt, HttpAnswer, HttpRequest } from '../channels/channel.js';
import { deliveryTo, judge } from '../channels/channels.js';
import { channelOf } from '../notifier.js';
import { TemplateError } from '../templates/template-error.js';
import { linkTo } from './links.js';
import type { Notification } from './notification.js';
import type { Sender } from './sender.js';

/** One attempt to send one notification. */

export interface DeliverContext {
  readonly sender: Sender;
  readonly signal: AbortSignal;
  readonly consoleUrl: string | undefined;
  readonly opsgenieUrl: string | undefined;
  readonly templateSteps: number;
}

interface Tried {
  readonly attempt: Attempt;
  /** What was sent and answered, for a test of a notifier; mail has neither. */
  readonly request?: HttpRequest;
  readonly answer?: HttpAnswer;
}

/** @param id of the notification, the same for every attempt */
export async function deliver(
  id: string,
  notification: Notification,
  notifier: Notifier,
  { sender, signal, consoleUrl, opsgenieUrl, templateSteps }: DeliverContext,
): Promise<Tried> {
  const channel = channelOf(notifier.properties);
  const link = linkTo(notification.monitorId, consoleUrl);
  try {
    const delivery = deliveryTo(channel, notification, { id, link, opsgenieUrl, templateSteps });
    if (delivery.kind === 'mail') {
      const attempts: Attempt[] = [];
      for (const mail of delivery.mails) attempts.push(await sender.mail(mail, signal));
      return { attempt: worstOf(attempts) };
    }
    const { request } = delivery;
    const posted = await sender.post(request, signal);
    if (posted.kind === 'answer')
      return { attempt: judge(channel.name, posted.answer), request, answer: posted.answer };
    const { problem, final } = posted;
    return { attempt: final ? { kind: 'failed', problem } : { kind: 'later', problem }, request };
  } catch (error) {
    if (error instanceof TemplateError)
      return { attempt: { kind: 'failed', problem: `the template: ${error.message}` } };
    throw error;
  }
}

/**
 * As long as one address may get it later, it is tried again; receivers know what they have by its
 * id.
 */
const worstOf = (attempts: readonly Attempt[]): Attempt =>
  attempts.find(({ kind }) => kind === 'later') ??
  attempts.find(({ kind }) => kind === 'failed') ?? { kind: 'delivered' };
