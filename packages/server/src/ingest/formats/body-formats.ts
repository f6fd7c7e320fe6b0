import { httpError } from '../../errors.js';
import { mediaTypeOf } from '../../http/body/media-type.js';
import { otlpFormats } from '../otlp/body-format.js';
import { type ProtocolName, protocols } from '../protocols.js';
import { csvFormat } from './csv.js';
import type { BodyFormat } from './format.js';
import { jsonFormat } from './json.js';

/** Every format of bodies with events, by the name under which a thread is told of it. */
const ownFormats = { json: jsonFormat, csv: csvFormat, ...otlpFormats } as const satisfies Record<string, BodyFormat>;

export type FormatName = keyof typeof ownFormats | ProtocolName;

/** What the native routes take. Drains of Heroku are given their address. */
export const nativeFormats: readonly FormatName[] = ['json', 'csv', 'heroku'];

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
