import { isIP } from 'node:net';
import { httpError } from '@millrace/api/errors';
import { isCustomHeader } from './channels/own-headers.js';
import { errorAt } from './monitor.js';
import { blockReason } from '@millrace/http/outgoing/addresses';
import { notifierAddresses } from './outbox/notifier-addresses.js';
import { parseTemplate } from './templates/parse.js';
import { TemplateError } from './templates/template-error.js';
import {
  type ChannelName,
  channelNames,
  type Notifier,
  type NotifierProperties,
  optionalSecretsOf,
  type PropertiesOf,
  secretsOf,
  type WriteNotifier,
} from '@millrace/api/schemas/notifier';

/** Converts a notifier between its API form and its stored form. The API form has no secrets. */

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
 * Converts properties to their stored form. An empty secret, as clients read it, keeps the stored
 * one.
 * @throws HttpError `invalid-request`
 */
export function toStoredProperties(notifier: WriteNotifier, present?: Notifier): NotifierProperties {
  const channel = channelOf(notifier.properties);
  checkAddress(channel);
  checkTemplate(notifier.titleTemplate ?? '', 'titleTemplate');
  checkTemplate(notifier.bodyTemplate ?? '', 'bodyTemplate');
  switch (channel.name) {
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
      // A secret goes only to the host it was set for: a user who may change the address may not
      // know it.
      const isElsewhere =
        present?.properties.customWebhook !== undefined &&
        originOf(present.properties.customWebhook.url) !== originOf(open.url);
      const repeated = Object.entries(after).find(
        ([name]) => secretHeaders?.[name] === undefined || secretHeaders[name] === '',
      );
      if (isElsewhere && repeated !== undefined)
        throw httpError('invalid-request', {
          problem: `body 'properties.customWebhook.secretHeaders.${repeated[0]}' must be given again, because 'url' has another host`,
        });
      return { customWebhook: { ...open, ...(Object.keys(after).length > 0 && { secretHeaders: after }) } };
    }
    default:
      return { [channel.name]: withSecrets(channel, present) };
  }
}

/** Replaces empty secrets by the stored ones. */
function withSecrets({ name, properties }: ChannelOf, present: Notifier | undefined): object {
  const sent = properties as Readonly<Record<string, unknown>>;
  const stored = (present?.properties[name] ?? {}) as Readonly<Record<string, unknown>>;
  const secretOf = (member: string): string => String(sent[member] || stored[member] || '');
  const required = (secretsOf[name] ?? []).map((member) => [
    member,
    requireSecret(secretOf(member), `${name}.${member}`),
  ]);
  return { ...sent, ...Object.fromEntries(required) };
}

/**
 * Rejects a URL with a forbidden literal address when the notifier is written. Host names are
 * resolved and checked when the notification is sent.
 */
function checkAddress({ name, properties }: ChannelOf): void {
  const [member, url] = Object.entries(properties).find(([key]) => /url$/i.test(key)) ?? [];
  if (member === undefined || typeof url !== 'string') return;
  const where = `body 'properties.${name}.${member}'`;
  if (!URL.canParse(url)) throw invalidRequest(`${where} is not a valid URL`);
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? undefined : blockReason(host, notifierAddresses(true));
  if (refusal !== undefined) throw invalidRequest(`${where} cannot be called: ${refusal}`);
}

function checkTemplate(body: string, member = 'properties.customWebhook.body'): void {
  try {
    parseTemplate(body);
  } catch (error) {
    if (error instanceof TemplateError) throw errorAt(member, body, error.offset, error.message);
    throw error;
  }
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isCustomHeader(name))
      throw invalidRequest(
        `body 'properties.customWebhook.headers' has '${name}', which the server sets; leave it out`,
      );
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      throw invalidRequest(
        `body 'properties.customWebhook.headers' has '${name}', which cannot be the name of a header`,
      );
    // oxlint-disable-next-line no-control-regex
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value))
      throw invalidRequest(`body 'properties.customWebhook.headers.${name}' has characters that no header can have`);
  }
}

/** @throws HttpError `invalid-request` for a secret that is neither sent nor stored */
function requireSecret(secret: string, member: string): string {
  if (secret === '') throw invalidRequest(`body 'properties.${member}' must not be empty`);
  return secret;
}

const invalidRequest = (problem: string) => httpError('invalid-request', { problem });

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Properties whose complete value is secret. */
const secretMembers: ReadonlySet<string> = new Set(
  [secretsOf, optionalSecretsOf].flatMap((of) => Object.values(of).flat()),
);

/**
 * Converts a notifier to the form shown to a client. Clients that may write compare it with what
 * they sent, so only the values of secret headers are hidden; other clients get no secrets, and
 * URLs without path and query.
 */
export function toShownNotifier(notifier: Notifier, isWriter: boolean): Notifier {
  const { name, properties } = channelOf(notifier.properties);
  const shown = Object.entries(properties).map(([member, value]: readonly [string, unknown]) => [
    member,
    member === 'secretHeaders' || (member === 'headers' && !isWriter)
      ? emptyHeaders(value)
      : isWriter || typeof value !== 'string'
        ? value
        : secretMembers.has(member)
          ? ''
          : /url$/i.test(member)
            ? originOf(value)
            : value,
  ]);
  return { ...notifier, properties: { [name]: Object.fromEntries(shown) as typeof properties } };
}

const emptyHeaders = (headers: unknown) => Object.fromEntries(Object.keys(Object(headers)).map((name) => [name, '']));
