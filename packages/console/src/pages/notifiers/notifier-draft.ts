import type { NotifierProperties, WriteNotifier } from '@millrace/client';
import { type ChannelField, channelIn, type ChannelName, channels } from './channels.js';

/** A notifier in the form: one string per field of its channel. */
export interface NotifierDraft {
  readonly name: string;
  readonly channel: ChannelName;
  readonly values: Readonly<Record<string, string>>;
  readonly titleTemplate: string;
  readonly bodyTemplate: string;
  /** Empty for none. */
  readonly groupWaitSeconds: string;
  readonly groupIntervalMinutes: string;
  readonly disabledUntil: string | undefined;
}

export const emptyNotifier: NotifierDraft = {
  name: '',
  channel: 'slack',
  values: {},
  titleTemplate: '',
  bodyTemplate: '',
  groupWaitSeconds: '',
  groupIntervalMinutes: '',
  disabledUntil: undefined,
};

export function notifierDraftOf(notifier: WriteNotifier): NotifierDraft {
  const { name, properties, titleTemplate = '', bodyTemplate = '', disabledUntil } = notifier;
  const channel = channelIn(properties);
  const given = (properties[channel] ?? {}) as Readonly<Record<string, unknown>>;
  const values = Object.fromEntries(
    channels[channel].fields.map((field) => [field.id, textFrom(field, given[field.id])]),
  );
  const groupWaitSeconds = numberText(notifier.groupWaitSeconds);
  const groupIntervalMinutes = numberText(notifier.groupIntervalMinutes);
  return { name, channel, values, titleTemplate, bodyTemplate, groupWaitSeconds, groupIntervalMinutes, disabledUntil };
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
    ...numberIn('groupWaitSeconds', draft),
    ...numberIn('groupIntervalMinutes', draft),
    ...(disabledUntil !== undefined && { disabledUntil }),
  };
}

const numberText = (value: number | undefined): string => (value === undefined || value === 0 ? '' : String(value));

function numberIn<Name extends 'groupWaitSeconds' | 'groupIntervalMinutes'>(name: Name, draft: NotifierDraft) {
  const text = draft[name].trim();
  return (text === '' ? {} : { [name]: Number(text) }) as { readonly [N in Name]?: number };
}

/** Largest value of each; as on the server. */
const largest = { groupWaitSeconds: 3600, groupIntervalMinutes: 1440 } as const;

/** Missing fields; stored secrets may stay empty. */
export function missingIn(draft: NotifierDraft, isKept: boolean): Readonly<Record<string, string>> {
  const { name, channel, values } = draft;
  const missing: Record<string, string> = name.trim() === '' ? { name: 'Give it a name' } : {};
  for (const { id, optional, masked, title } of channels[channel].fields)
    if (optional !== true && (values[id] ?? '').trim() === '' && !(masked === true && isKept))
      missing[id] = `${title} is required`;
  for (const [id, max] of Object.entries(largest)) {
    const value = Number(draft[id as keyof typeof largest]);
    if (!Number.isInteger(value) || value < 0 || value > max) missing[id] = `A whole number up to ${max}`;
  }
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
