import {
  type Attempt,
  basic,
  channel,
  type ChannelContext,
  classifyStatus,
  form,
  type HttpAnswer,
  respondText,
  truncate,
} from './channel.js';
import { plainMessage } from './plain-message.js';

/** Message of a bot to a channel of Zulip. */
export const zulip = channel({
  name: 'zulip',
  delivery: ({ zulipUrl, botEmail, botApiKey, channel: to, topic = '' }, notification, links) =>
    form(
      `${zulipUrl.replace(/\/+$/, '')}/api/v1/messages`,
      {
        // Older servers do not know the name `channel`.
        type: 'stream',
        to,
        topic: truncate(topic === '' ? notification.title : topic, 60),
        content: inFence(plainMessage(notification, { link: undefined }, 9000), links),
      },
      { authorization: basic(botEmail, botApiKey) },
    ),
  judge: judgeZulip,
});

/** In a fence, text of events is not Markdown and mentions no users. */
function inFence(text: string, { link, respond }: Pick<ChannelContext, 'link' | 'respond'>): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{1,100}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const links = [
    ...(link === undefined ? [] : [`[Open the monitor](${link})`]),
    ...(respond === undefined ? [] : [`[${respondText}](${respond})`]),
  ];
  return [`${fence}text`, text, fence, ...(links.length === 0 ? [] : [links.join(' · ')])].join('\n');
}

/** Zulip puts the delay before a retry in the body, in seconds. */
function judgeZulip(answer: HttpAnswer): Attempt | undefined {
  const seconds = /"retry-after"\s*:\s*([\d.]+)/.exec(answer.text)?.[1];
  const judged = classifyStatus(answer);
  return seconds === undefined || judged.kind !== 'later' ? undefined : { ...judged, after: Number(seconds) * 1000 };
}
