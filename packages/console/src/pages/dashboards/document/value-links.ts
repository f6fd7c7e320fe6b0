import { consolePath } from '../../../data/address/console-path.js';
import { type BoardDocument, textMember } from './document.js';
import { listOf } from './filters.js';

/**
 * Links in the menu of a clicked value. The property `valueLinks` of a document is ours; other
 * programs ignore it.
 */
export interface ValueLink {
  /** Field whose values have the link. */
  readonly field: string;
  readonly title: string;
  /** Address with `{value}`, `{from}` and `{to}`; a path is within the console. */
  readonly url: string;
}

export const valueLinksOf = (document: BoardDocument): readonly ValueLink[] =>
  listOf(document['valueLinks']).flatMap((link) => {
    const [field, url] = [textMember(link, 'field'), textMember(link, 'url')];
    return field === undefined || url === undefined || !isLinkAddress(url)
      ? []
      : [{ field, url, title: textMember(link, 'title') ?? url }];
  });

/** Whether an address is one of the web or a path in the console. Others never open. */
export const isLinkAddress = (url: string): boolean =>
  /^https?:\/\/[^\s/]/i.test(url) || /^\/?[\w-]+([/?#]|$)/.test(url);

/** The address with its placeholders filled in. */
export function addressOf(
  url: string,
  values: { readonly value: string; readonly from: string; readonly to: string },
): string {
  const filled = url.replaceAll(/\{(value|from|to)\}/g, (_all, name: keyof typeof values) =>
    encodeURIComponent(values[name]),
  );
  return /^https?:/i.test(filled) ? filled : `${consolePath}${filled.replace(/^\/?(?:console\/)?/, '')}`;
}
