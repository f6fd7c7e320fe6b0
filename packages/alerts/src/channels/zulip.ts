import { type Attempt, basic, channel, classifyStatus, form, type HttpAnswer, truncate } from './channel.js';
import { type LinkUrls, markdownLinks, messageLinks } from './message-links.js';
import { plainMessage } from './plain-message.js';

/** Message of a bot to a channel of Zulip. */
export const zulip = channel({
  name: 'zulip',
  delivery: ({ zulipUrl, botEmail, botApiKey, channel: to, topic = '' }, notification, urls) =>
    form(
      `${zulipUrl.replace(/\/+$/, '')}/api/v1/messages`,
      {
        // Older servers do not know the name `channel`.
        type: 'stream',
        to,
        topic: truncate(topic === '' ? notification.title : topic, 60),
        content: inFence(plainMessage(notification, {}, 9000), urls),
      },
      { authorization: basic(botEmail, botApiKey) },
    ),
  judge: judgeZulip,
});

/** In a fence, text of events is not Markdown and mentions no users. */
function inFence(text: string, urls: LinkUrls): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{1,100}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, text, fence, ...markdownLinks(messageLinks(urls))].join('\n');
}

/** Zulip puts the delay before a retry in the body, in seconds. */
function judgeZulip(answer: HttpAnswer): Attempt | undefined {
  const seconds = /"retry-after"\s*:\s*([\d.]+)/.exec(answer.text)?.[1];
  const judged = classifyStatus(answer);
  return seconds === undefined || judged.kind !== 'later' ? undefined : { ...judged, after: Number(seconds) * 1000 };
}
