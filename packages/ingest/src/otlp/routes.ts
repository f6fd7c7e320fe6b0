import { Type } from 'typebox';
import { otlpErrors, protobufMediaType } from '@millrace/http/errors/protobuf-errors';
import { type RequestContext, route, type Route } from '@millrace/http/route';
import { variableOf } from '@millrace/http/settings/settings';
import { ingestInto } from '../ingest-into.js';
import { requireRoom } from '../assert-capacity.js';
import { ingestErrors, type IngestRouteDependencies, receipt, senderOf } from '../routes.js';
import { otlpAnswer, otlpResponse } from './response.js';
import { otlpFormatOf, otlpMediaTypes } from './media-types.js';
import { kindOf, type Signal, signals } from './signal.js';

/** OTLP over HTTP, as OpenTelemetry's exporters and collectors send it. */

const datasetHeader = 'x-axiom-dataset';

/** Of metrics only; wins, so that one exporter may list the datasets of all signals. */
const metricsHeader = 'x-axiom-metrics-dataset';

const headers = Type.Object({
  [datasetHeader]: Type.String({ minLength: 1, description: 'Name of the dataset for the records.' }),
  'content-type': Type.Optional(Type.String({ description: '`application/x-protobuf` or `application/json`.' })),
  'content-encoding': Type.Optional(Type.String({ description: 'gzip, zstd, deflate, br or identity.' })),
});

const request = { headers, body: 'bytes' } as const;
type OtlpCall = RequestContext<typeof request>;

export const otlpRoutes = (deps: IngestRouteDependencies): readonly Route[] =>
  (Object.keys(signals) as readonly Signal[]).map((signal) => otlpRoute(signal, deps));

function otlpRoute(signal: Signal, deps: IngestRouteDependencies): Route {
  const { path, operation, record, records, datasetSetting } = signals[signal];
  const otherwise = deps.settings[datasetSetting];
  const formats = [`otlp-${signal}` as const];
  return route({
    method: 'POST',
    path,
    operation,
    tag: 'Ingest',
    summary: `Send OpenTelemetry ${records}`,
    description:
      signal === 'metrics'
        ? `OTLP over HTTP, in protobuf or JSON, into a dataset of kind \`otel:metrics:v1\` (docs/mpl.md). The header \`${metricsHeader}\` wins over \`${datasetHeader}\`. Data points that cannot be stored are counted in \`partialSuccess\`.`
        : `OTLP over HTTP, in protobuf or JSON. Each ${record} becomes an event (docs/opentelemetry.md); records that cannot be stored are reported in \`partialSuccess\`.`,
    need: {
      scope: 'dataset',
      header: datasetHeader,
      ...(signal === 'metrics' && { preferred: metricsHeader }),
      ...(otherwise !== undefined && { otherwise }),
      hint: `send it with the name of a dataset, or start the server with ${variableOf(datasetSetting)}`,
      resource: 'ingest',
      action: 'create',
    },
    request,
    errorForm: otlpErrors,
    bodyTypes: otlpMediaTypes,
    responses: {
      200: {
        description: 'Stored, except for what `partialSuccess` reports.',
        schema: otlpResponse(signal),
        mediaTypes: ['application/json', protobufMediaType],
      },
    },
    errors: [...ingestErrors, 'events-too-large'],
    examples: [
      {
        summary: `No ${records}`,
        headers: { [datasetHeader]: 'otel', 'content-type': 'application/json' },
        body: '{}',
        answer: {},
      },
    ],
    maxBodyBytes: deps.maxBodyBytes,
    limitFamily: 'Ingest',
    admit: (others) => requireRoom(others, deps),
    handle: async (call: OtlpCall) => {
      const contentType = call.headers['content-type'] ?? '';
      const contentEncoding = call.headers['content-encoding'];
      const format = otlpFormatOf(contentType);
      const options = { contentType, ...(contentEncoding !== undefined && { contentEncoding }) };
      const creator = { principal: call.principal, may: call.may, kind: kindOf(signal) };
      const request = { body: call.body, formats, options, sender: senderOf(call.principal, call.abort) };
      const reply = await ingestInto(call.headers[datasetHeader], creator, request, deps);
      deps.answered(reply);
      return otlpAnswer(signal, format, reply.status, receipt(reply));
    },
  });
}
