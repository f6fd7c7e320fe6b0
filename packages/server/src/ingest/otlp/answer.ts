import { Type } from 'typebox';
import { bytesField, numberField } from '../../http/errors/protobuf-writer.js';
import { protobufMediaType } from '../../http/errors/protobuf-errors.js';
import { type Answer, bytes, json } from '../../http/route.js';
import { named } from '../../schemas/parts.js';
import type { IngestStatus } from '../answer.js';
import type { OtlpFormat } from './media-types.js';
import { type Signal, signals } from './signal.js';

/** Most reasons given in an answer; any number of records may fail. */
const mostReasons = 10;

/**
 * The answer to an OTLP request in JSON. In protobuf `partialSuccess` is field 1, and its members
 * are fields 1 and 2.
 */
export const otlpResponse = (signal: Signal) => {
  const { rejected, records } = signals[signal];
  return named(
    signal === 'traces' ? 'ExportTraceServiceResponse' : 'ExportLogsServiceResponse',
    Type.Object({
      partialSuccess: Type.Optional(
        Type.Object({
          [rejected]: Type.String({ description: `How many ${records} were refused, as digits.` }),
          errorMessage: Type.String({ description: 'Why, and what was left out of those that were stored.' }),
        }),
      ),
    }),
  );
};

/** The answer in the format of the request: empty if everything was stored unchanged. */
export function otlpAnswer(
  signal: Signal,
  format: OtlpFormat,
  status: IngestStatus,
  headers: Readonly<Record<string, string>>,
): Answer {
  const { failed } = status;
  const errorMessage = messageOf(status);
  const isPartial = failed > 0 || errorMessage !== '';
  if (format === 'json') {
    const partialSuccess = { [signals[signal].rejected]: String(failed), errorMessage };
    return json(isPartial ? { partialSuccess } : {}, 200, headers);
  }
  const content = isPartial ? bytesField(1, [numberField(1, failed), bytesField(2, errorMessage)]) : new Uint8Array();
  return bytes(content, protobufMediaType, 200, headers);
}

function messageOf({ failures, failed, messages = [] }: IngestStatus): string {
  const told = failures.slice(0, mostReasons).map(({ error }) => error);
  const warnings = messages.slice(0, mostReasons).map(({ msg, count }) => `${msg} (${count} times)`);
  const more = failed - told.length;
  return [...told, ...(more > 0 ? [`${more} more were refused`] : []), ...warnings].join('; ');
}
