import { isIP } from 'node:net';
import { httpError } from '../errors.js';
import { mistakeAt } from './monitor.js';
import { refusalOf } from './outbox/addresses.js';
import { parseTemplate } from './templates/parse.js';
import { TemplateError } from './templates/template-error.js';
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
 * The properties as they are kept. Where a secret is empty, as clients read it, the present one
 * stays.
 * @throws HttpError `invalid-request`
 */
export function keptProperties({ properties }: WriteNotifier, present?: Notifier): NotifierProperties {
  const channel = channelOf(properties);
  checkAddress(channel);
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
      checkTemplate(open.body ?? '');
      checkHeaders({ ...open.headers, ...secretHeaders });
      const before = present?.properties.customWebhook?.secretHeaders ?? {};
      const after =
        secretHeaders === undefined
          ? before
          : Object.fromEntries(
              Object.entries(secretHeaders).map(([name, value]) => [name, value === '' ? (before[name] ?? '') : value]),
            );
      // A secret goes only where it was meant to go: whoever may change the address may not be the
      // one who knew it.
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

/**
 * An address that may never be called is refused at once, where it is written as one; names are
 * looked up when they are called.
 */
function checkAddress({ name, properties }: ChannelOf): void {
  const [member, url] = Object.entries(properties).find(([key]) => /url$/i.test(key)) ?? [];
  if (member === undefined || typeof url !== 'string') return;
  const where = `body 'properties.${name}.${member}'`;
  if (!URL.canParse(url)) throw mistake(`${where} is no address that can be read`);
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? undefined : refusalOf(host, true);
  if (refusal !== undefined) throw mistake(`${where} cannot be called: ${refusal}`);
}

function checkTemplate(body: string): void {
  try {
    parseTemplate(body);
  } catch (error) {
    if (error instanceof TemplateError)
      throw mistakeAt('properties.customWebhook.body', body, error.offset, error.message);
    throw error;
  }
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      throw mistake(`body 'properties.customWebhook.headers' has '${name}', which cannot be the name of a header`);
    // oxlint-disable-next-line no-control-regex
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value))
      throw mistake(`body 'properties.customWebhook.headers.${name}' has characters that no header can have`);
  }
}

const mistake = (problem: string) => httpError('invalid-request', { problem });

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/**
 * What a client is shown of a notifier: secrets are empty. Only these, because clients compare
 * everything else with what they sent.
 */
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
