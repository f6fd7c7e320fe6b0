import { httpError } from '../errors.js';
import {
  type ChannelName,
  channelNames,
  type Notifier,
  type NotifierProperties,
  type PropertiesOf,
  type WriteNotifier,
} from '../schemas/notifier.js';

/** What a client sends of a notifier → what is kept, and back: without what is secret. */

/** A notifier's only channel, with its properties. */
export type ChannelOf = {
  [Name in ChannelName]: { readonly name: Name; readonly properties: PropertiesOf<Name> };
}[ChannelName];

/** @throws HttpError `invalid-request` */
export function channelOf(properties: NotifierProperties): ChannelOf {
  const given = channelNames.filter((name) => properties[name] !== undefined);
  const [name] = given;
  if (name === undefined || given.length > 1)
    throw httpError('invalid-request', {
      problem: `body 'properties' must have exactly one of ${channelNames.join(', ')}${given.length > 1 ? `, not ${given.join(' and ')}` : ''}`,
    });
  return { name, properties: properties[name] } as ChannelOf;
}

/**
 * The properties as they are kept. Where a secret is empty, as clients read it, the present one stays.
 * @throws HttpError `invalid-request`
 */
export function keptProperties({ properties }: WriteNotifier, present?: Notifier): NotifierProperties {
  const channel = channelOf(properties);
  switch (channel.name) {
    case 'pagerduty': {
      const { routingKey, token } = channel.properties;
      const kept = routingKey === '' ? present?.properties.pagerduty?.routingKey : routingKey;
      if (kept === undefined)
        throw httpError('invalid-request', { problem: "body 'properties.pagerduty.routingKey' must not be empty" });
      return { pagerduty: { routingKey: kept, ...(token !== undefined && { token }) } };
    }
    case 'customWebhook': {
      const { secretHeaders, ...open } = channel.properties;
      const before = present?.properties.customWebhook?.secretHeaders ?? {};
      const after =
        secretHeaders === undefined
          ? before
          : Object.fromEntries(
              Object.entries(secretHeaders).map(([name, value]) => [name, value === '' ? (before[name] ?? '') : value]),
            );
      // A secret goes only where it was meant to go: whoever may change the address may not be the one who knew it.
      const isElsewhere =
        present?.properties.customWebhook !== undefined &&
        originOf(present.properties.customWebhook.url) !== originOf(open.url);
      const repeated = Object.entries(after).find(
        ([name]) => secretHeaders?.[name] === undefined || secretHeaders[name] === '',
      );
      if (isElsewhere && repeated !== undefined)
        throw httpError('invalid-request', {
          problem: `body 'properties.customWebhook.secretHeaders.${repeated[0]}' must be given again, because 'url' leads to another host`,
        });
      return { customWebhook: { ...open, ...(Object.keys(after).length > 0 && { secretHeaders: after }) } };
    }
    default:
      return { [channel.name]: channel.properties };
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** What a client is shown of a notifier: secrets are empty. Only these, because clients compare everything else with what they sent. */
export function shownNotifier(notifier: Notifier): Notifier {
  const { pagerduty, customWebhook } = notifier.properties;
  if (pagerduty !== undefined)
    return {
      ...notifier,
      properties: { pagerduty: { routingKey: '', ...(pagerduty.token !== undefined && { token: '' }) } },
    };
  if (customWebhook?.secretHeaders === undefined) return notifier;
  const secretHeaders = Object.fromEntries(Object.keys(customWebhook.secretHeaders).map((name) => [name, '']));
  return { ...notifier, properties: { customWebhook: { ...customWebhook, secretHeaders } } };
}
