import type { Notifier } from '@millrace/api/schemas/notifier';
import type { Attempt, HttpAnswer, HttpRequest } from '../channels/channel.js';
import { deliveryTo, judge } from '../channels/channels.js';
import { channelOf } from '../notifier.js';
import { withOwnTexts } from '../templates/own-texts.js';
import { TemplateError } from '../templates/template-error.js';
import { incidentReference, linkTo } from './links.js';
import { maskSecrets } from './mask-secrets.js';
import type { Notification } from './notification.js';
import type { Sender } from './sender.js';

/** One attempt to send one notification. */

export interface DeliverContext {
  readonly sender: Sender;
  readonly signal: AbortSignal;
  readonly consoleUrl: string | undefined;
  readonly opsgenieUrl: string | undefined;
  readonly templateSteps: number;
  /** Link by which receivers acknowledge or snooze, if the notification has one. */
  readonly respondLink?: (id: string, notification: Notification) => Promise<string | undefined>;
}

export interface DeliveryResult {
  readonly attempt: Attempt;
  /** The request and its response, for a test of a notifier; absent for mail. */
  readonly request?: HttpRequest;
  readonly answer?: HttpAnswer;
  readonly recipients?: Recipients;
}

/** Final outcome per mail address: `delivered`, or the reason of a permanent failure. */
export type Recipients = Readonly<Record<string, string>>;

const deliveredTo = 'delivered';

/**
 * @param id of the notification, equal for all attempts
 * @param settled addresses with a final outcome, which are skipped
 */
export async function deliver(
  id: string,
  notification: Notification,
  notifier: Notifier,
  { sender, signal, consoleUrl, opsgenieUrl, templateSteps, respondLink }: DeliverContext,
  settled: Recipients = {},
): Promise<DeliveryResult> {
  const channel = channelOf(notifier.properties);
  const link = linkTo(notification.monitorId, consoleUrl, incidentReference(notification));
  try {
    const respond = await respondLink?.(id, notification);
    const context = { id, link, respond, opsgenieUrl, templateSteps, now: Date.now() };
    const delivery = deliveryTo(channel, withOwnTexts(notification, notifier, context), context);
    if (delivery.kind === 'mail') {
      const recipients: Record<string, string> = { ...settled };
      const problems: string[] = [];
      let isLater = false;
      for (const mail of delivery.mails.filter(({ to }) => settled[to] === undefined)) {
        const attempt = await sender.mail(mail, signal);
        isLater ||= attempt.kind === 'later';
        if (attempt.kind !== 'later')
          recipients[mail.to] = attempt.kind === 'delivered' ? deliveredTo : attempt.problem;
        if (attempt.kind !== 'delivered') problems.push(`${mail.to}: ${attempt.problem}`);
      }
      return { attempt: attemptOf(recipients, problems, isLater), recipients };
    }
    const { request } = delivery;
    const posted = await sender.post(request, signal);
    if (posted.kind === 'answer') {
      const answer = { ...posted.answer, text: maskSecrets(posted.answer.text, notifier) };
      const attempt = judge(channel.name, posted.answer);
      return { attempt: maskAttempt(attempt, notifier), request, answer };
    }
    const { problem, final } = posted;
    return { attempt: final ? { kind: 'failed', problem } : { kind: 'later', problem }, request };
  } catch (error) {
    if (error instanceof TemplateError)
      return { attempt: { kind: 'failed', problem: `the template: ${error.message}` } };
    throw error;
  }
}

const maskAttempt = (attempt: Attempt, notifier: Notifier): Attempt =>
  attempt.kind === 'delivered' ? attempt : { ...attempt, problem: maskSecrets(attempt.problem, notifier) };

/**
 * Retries while any address may still succeed; addresses that got the mail or failed for good are
 * skipped. Delivered if at least one address got it; the history names the others.
 */
function attemptOf(recipients: Recipients, problems: readonly string[], isLater: boolean): Attempt {
  const problem = problems.join('; ');
  if (isLater) return { kind: 'later', problem };
  return Object.values(recipients).includes(deliveredTo) ? { kind: 'delivered' } : { kind: 'failed', problem };
}
