import { Type } from 'typebox';
import { bytesField, numberField } from '@millrace/http/errors/protobuf-writer';
import { protobufMediaType } from '@millrace/http/errors/protobuf-errors';
import { type RouteResponse, bytes, json } from '@millrace/http/route';
import { withTitle } from '@millrace/api/schemas/parts';
import type { IngestStatus } from '../response.js';
import type { OtlpFormat } from './media-types.js';
import { type Signal, signals } from './signal.js';

/** Maximum reasons in a response; any number of records may fail. */
const maxReasons = 10;

const responseNames = {
  traces: 'ExportTraceServiceResponse',
  logs: 'ExportLogsServiceResponse',
  metrics: 'ExportMetricsServiceResponse',
} as const;

/**
 * Schema of the response to an OTLP request in JSON. In protobuf, `partialSuccess` is field 1, and
 * its properties are fields 1 and 2.
 */
export const otlpResponse = (signal: Signal) => {
  const { rejected, records } = signals[signal];
  return withTitle(
    responseNames[signal],
    Type.Object({
      partialSuccess: Type.Optional(
        Type.Object({
          [rejected]: Type.String({ description: `Number of rejected ${records}, as a string.` }),
          errorMessage: Type.String({ description: 'Why, and which values of stored records were dropped.' }),
        }),
      ),
    }),
  );
};

/** The response in the format of the request: empty if everything was stored unchanged. */
export function otlpAnswer(
  signal: Signal,
  format: OtlpFormat,
  status: IngestStatus,
  headers: Readonly<Record<string, string>>,
): RouteResponse {
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
  const reasons = failures.slice(0, maxReasons).map(({ error }) => error);
  const warnings = messages.slice(0, maxReasons).map(({ msg, count }) => `${msg} (${count} times)`);
  const more = failed - reasons.length;
  return [...reasons, ...(more > 0 ? [`${more} more were refused`] : []), ...warnings].join('; ');
}
