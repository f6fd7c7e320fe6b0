import type { Notifier } from '@millrace/api/schemas/notifier';
import { channelOf, toShownNotifier } from '../notifier.js';

/** Shorter texts occur by chance; `/` is a path. */
const minCharacters = 6;

/**
 * Replaces the secrets of a notifier by `…`. Receivers may return what they were sent, and the
 * history of a notification is shown to clients that may not see them.
 */
export const maskSecrets = (text: string, notifier: Notifier): string =>
  secretsIn(notifier).reduce((masked, secret) => masked.replaceAll(secret, '…'), text);

/** Parts of the properties that are hidden from clients that only read, the longest first. */
function secretsIn(notifier: Notifier): readonly string[] {
  const [all, visible] = [notifier, toShownNotifier(notifier, false)].map(({ properties }) =>
    textsOf(channelOf(properties).properties),
  ) as [ReadonlyMap<string, string>, ReadonlyMap<string, string>];
  const secrets = [...all].flatMap(([path, text]) => hiddenPart(text, visible.get(path) ?? '').split(/\s+/));
  return secrets.filter(({ length }) => length >= minCharacters).toSorted((a, b) => b.length - a.length);
}

/** Of a URL, everything after the origin is hidden. */
const hiddenPart = (text: string, visible: string): string =>
  text.startsWith(visible) ? text.slice(visible.length) : text;

/** All strings in a value, by path. */
function textsOf(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).flatMap(([name, member]) => [...textsOf(member, `${path}/${name}`)]));
}
