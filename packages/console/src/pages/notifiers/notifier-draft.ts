import type { NotifierProperties, WriteNotifier } from '@millrace/client';
import { type ChannelField, channelIn, type ChannelName, channels } from './channels.js';

/** A notifier in the form: one string per field of its channel. */
export interface NotifierDraft {
  readonly name: string;
  readonly channel: ChannelName;
  readonly values: Readonly<Record<string, string>>;
  readonly titleTemplate: string;
  readonly bodyTemplate: string;
  readonly disabledUntil: string | undefined;
}

export const emptyNotifier: NotifierDraft = {
  name: '',
  channel: 'slack',
  values: {},
  titleTemplate: '',
  bodyTemplate: '',
  disabledUntil: undefined,
};

export function notifierDraftOf(notifier: WriteNotifier): NotifierDraft {
  const { name, properties, titleTemplate = '', bodyTemplate = '', disabledUntil } = notifier;
  const channel = channelIn(properties);
  const given = (properties[channel] ?? {}) as Readonly<Record<string, unknown>>;
  const values = Object.fromEntries(
    channels[channel].fields.map((field) => [field.id, textFrom(field, given[field.id])]),
  );
  return { name, channel, values, titleTemplate, bodyTemplate, disabledUntil };
}

export function notifierBodyOf(draft: NotifierDraft): WriteNotifier {
  const { name, channel, values, titleTemplate, bodyTemplate, disabledUntil } = draft;
  const properties = Object.fromEntries(
    channels[channel].fields.flatMap((field) => {
      const text = values[field.id] ?? '';
      return field.optional === true && text === '' ? [] : [[field.id, valueFrom(field, text)]];
    }),
  );
  return {
    name: name.trim(),
    // The types only know that it is one of the channels; the server validates the rest.
    properties: { [channel]: properties } as unknown as NotifierProperties,
    ...(titleTemplate.trim() !== '' && { titleTemplate }),
    ...(bodyTemplate.trim() !== '' && { bodyTemplate }),
    ...(disabledUntil !== undefined && { disabledUntil }),
  };
}

/** Missing fields; stored secrets may stay empty. */
export function missingIn({ name, channel, values }: NotifierDraft, isKept: boolean): Readonly<Record<string, string>> {
  const missing: Record<string, string> = name.trim() === '' ? { name: 'Give it a name' } : {};
  for (const { id, optional, masked, title } of channels[channel].fields)
    if (optional !== true && (values[id] ?? '').trim() === '' && !(masked === true && isKept))
      missing[id] = `${title} is required`;
  return missing;
}

function textFrom({ kind }: ChannelField, value: unknown): string {
  if (value === undefined || value === null) return '';
  switch (kind) {
    case 'list':
      return (value as readonly string[]).join('\n');
    case 'flag':
      return value === true ? 'yes' : '';
    case 'number':
      return String(value);
    case 'headers':
    case 'secret-headers':
      return Object.entries(value as Readonly<Record<string, string>>)
        .map(([name, each]) => `${name}: ${each}`)
        .join('\n');
    default:
      return value as string;
  }
}

function valueFrom({ kind }: ChannelField, text: string): unknown {
  switch (kind) {
    case 'list':
      return text.split(/[\n,;\s]+/).filter((each) => each !== '');
    case 'flag':
      return text === 'yes';
    case 'number':
      return Number(text);
    case 'headers':
    case 'secret-headers':
      return Object.fromEntries(
        text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map((line) => {
            const colon = line.indexOf(':');
            return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
          }),
      );
    case 'template':
      return text;
    default:
      return text.trim();
  }
}
