import type { ChannelContext } from './channel.js';

/** Links of a message. Each channel maps the same list to its own format. */

export type LinkUrls = Partial<Pick<ChannelContext, 'link' | 'respond'>>;

interface MessageLink {
  readonly text: string;
  readonly url: string;
}

const texts = { link: 'Open the monitor', respond: 'Acknowledge or snooze' } as const satisfies Record<
  keyof LinkUrls,
  string
>;

/** Links that a message has, in the order in which they are shown. */
export function messageLinks(urls: LinkUrls): readonly MessageLink[] {
  return (['link', 'respond'] as const).flatMap((kind) => {
    const url = urls[kind];
    return url === undefined ? [] : [{ text: texts[kind], url }];
  });
}

/** The link to acknowledge or snooze, for formats that have another place for the monitor. */
export const responseLinks = ({ respond }: LinkUrls): readonly MessageLink[] => messageLinks({ respond });

/** One line of Markdown, or none. */
export const markdownLinks = (links: readonly MessageLink[]): readonly string[] =>
  links.length === 0 ? [] : [links.map(({ text, url }) => `[${text}](${url})`).join(' · ')];
