import { incidentReference } from '@millrace/alerts/outbox/links';
import type { RespondableMessage } from '@millrace/alerts/respond/message-responses';
import type { RouteResponse } from '@millrace/http/route';
import { escapeHtml, plainPage } from './plain-page.js';

/** Pages behind the links of messages. */

/** Offered times of a snooze. */
export const snoozeMinutes = [60, 240, 1440] as const;

const snoozeTitles: Readonly<Record<number, string>> = { 60: '1 hour', 240: '4 hours', 1440: '1 day' };

/** Offers to acknowledge or snooze open groups. */
export function respondPage(message: RespondableMessage): RouteResponse {
  const { monitor, open, acknowledged } = message;
  const isDone = open.length === 0;
  const all = acknowledged.length === open.length;
  const acknowledge = all ? '' : '<button class="primary" name="action" value="acknowledge">Acknowledge</button>';
  const snoozes = snoozeMinutes.map(
    (minutes) => `<button name="action" value="snooze-${minutes}">${snoozeTitles[minutes]}</button>`,
  );
  const form = `<form method="post">
<label>Your name, for the others<input name="name" maxlength="100" autocomplete="name"></label>
${acknowledge === '' ? '' : `<p class="buttons">${acknowledge}<span class="muted">It is not sent again and not escalated until it closes.</span></p>`}
<p class="label">Or snooze: no notifications for</p><p class="buttons">${snoozes.join('')}</p>
</form>`;
  return plainPage({
    title: monitor.name,
    style,
    body: `<section class="card">${aboutText(message)}${isDone ? '' : form}</section>${footText(message)}`,
  });
}

type ResponseOutcome =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'snoozed'; readonly minutes: number; readonly silences: readonly string[] };

/** Confirms the response. */
export function donePage(message: RespondableMessage, done: ResponseOutcome): RouteResponse {
  const { monitor, open } = message;
  const nothing = open.length === 0 || (done.kind === 'snoozed' && done.silences.length === 0);
  const text = nothing
    ? 'It is over: nothing of this message is open any more.'
    : done.kind === 'acknowledged'
      ? 'Acknowledged. It is not sent again and not escalated until it closes.'
      : `Snoozed for ${snoozeTitles[done.minutes] ?? ''}. What is open then is sent again.`;
  return plainPage({
    title: monitor.name,
    style,
    body: `<section class="card" role="status"><p class="done">${text}</p>${aboutText(message)}</section>${footText(message)}`,
  });
}

export const missingPage = (): RouteResponse =>
  plainPage({
    title: 'This link does not work any more',
    status: 404,
    style,
    body: '<section class="card"><h1>This link does not work any more</h1><p class="muted">It has expired, or its monitor or notifier was deleted. Sign in to the console to see what is open.</p></section>',
  });

function aboutText({ monitor, notification, open, acknowledged }: RespondableMessage): string {
  const state =
    open.length === 0
      ? '<span class="state closed">Resolved</span>'
      : acknowledged.length === open.length
        ? '<span class="state acknowledged">Acknowledged</span>'
        : `<span class="state open">Firing</span>`;
  const groups = open.filter((text) => text !== '');
  const listed = groups.slice(0, maxGroups).map((text) => `<li>${escapeHtml(text)}</li>`);
  const more = groups.length > maxGroups ? [`<li class="muted">and ${groups.length - maxGroups} more</li>`] : [];
  const who =
    acknowledged[0] === undefined
      ? ''
      : `<p class="muted">Acknowledged${acknowledged[0].name === undefined ? '' : ` by ${escapeHtml(acknowledged[0].name)}`} at ${timeText(acknowledged[0].at)}</p>`;
  return `<p class="top">${state}<span class="muted">${escapeHtml(notification.severity)}</span></p>
<h1>${escapeHtml(monitor.name)}</h1>
<p class="muted">Message of ${timeText(notification.timestamp)}</p>
<pre>${escapeHtml(notification.body)}</pre>${groups.length === 0 ? '' : `<p class="label">Still open</p><ul>${[...listed, ...more].join('')}</ul>`}${who}`;
}

const maxGroups = 10;

const footText = ({ notifierName, monitor, notification }: RespondableMessage): string =>
  `<p class="foot"><a href="../monitors/${monitor.id}/incidents/${incidentReference(notification) ?? ''}">Open the incident in the console</a></p>
<p class="foot muted">This page works without sign-in because you have the message to ${escapeHtml(notifierName)}. What you do here is recorded.</p>`;

const timeText = (time: string): string =>
  `<time datetime="${escapeHtml(time)}">${escapeHtml(
    time
      .replace('T', ' ')
      .replace(/\.\d+Z$/, '')
      .replace(/Z$/, ''),
  )} UTC</time>`;

const style = `
.top{display:flex;gap:.75rem;align-items:center;margin:0 0 .75rem}
.state{font-size:.8125rem;font-weight:600;padding:.125rem .625rem;border-radius:999px;border:1px solid currentColor}
.state.open{color:var(--bad)}.state.closed{color:var(--good)}.state.acknowledged{color:var(--warn)}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center;margin:.5rem 0 0}
.buttons .muted{font-size:.875rem}
form .buttons:first-of-type{margin-top:1rem}
.label{font-size:.875rem;color:var(--muted);margin:1.25rem 0 .25rem}
ul{margin:.25rem 0;padding-left:1.25rem;overflow-wrap:anywhere}
.done{font-weight:600;font-size:1.125rem;margin:0 0 1.25rem;padding-bottom:1.25rem;border-bottom:1px solid var(--line)}
.foot{font-size:.8125rem;margin-top:1rem}
`;
