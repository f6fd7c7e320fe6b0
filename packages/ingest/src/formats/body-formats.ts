import { httpError } from '@millrace/api/errors';
import { mediaTypeOf } from '@millrace/http/body/media-type';
import { otlpFormats } from '../otlp/body-format.js';
import { type ProtocolName, protocols } from '../protocols.js';
import { csvFormat } from './csv.js';
import type { BodyFormat } from './format.js';
import { jsonFormat } from './json.js';

/** Every body format, by the name that is sent to a thread. */
const ownFormats = { json: jsonFormat, csv: csvFormat, ...otlpFormats } as const satisfies Record<string, BodyFormat>;

export type FormatName = keyof typeof ownFormats | ProtocolName;

/** Formats of the native routes. Heroku drains send to them. */
export const nativeFormats: readonly FormatName[] = ['json', 'csv', 'heroku'];

/** Whether a format leaves the time field to the request. */
export const takesTimeField = (name: FormatName): boolean => ['json', 'csv', 'webhook'].includes(name);

export const bodyFormat = (name: FormatName): BodyFormat =>
  name in protocols ? protocols[name as ProtocolName].format : ownFormats[name as keyof typeof ownFormats];

/**
 * Which of the formats that a route takes a body is in, by its `Content-Type`.
 * @throws HttpError `unsupported-content-type`
 */
export function detectFormat(taken: readonly FormatName[], contentType: string): FormatName {
  const found = taken.find((name) => bodyFormat(name).detects(contentType));
  if (found !== undefined) return found;
  const supported = taken.flatMap((name) => bodyFormat(name).mediaTypes).join(', ');
  throw httpError('unsupported-content-type', { type: mediaTypeOf(contentType), supported });
}
