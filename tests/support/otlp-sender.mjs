/**
 * An instrumented program that exports a hundred traces of a shop and two log records with
 * OpenTelemetry. The environment sets the destination, the argument the exporter (`proto`,
 * `http`, which is JSON, or `grpc`). It is a separate process because these packages cannot be loaded under
 * the tests' import conditions. Prints the IDs of the traces and the error of the first rejected
 * export.
 */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const format = process.argv[2];
const { OTLPTraceExporter } = await import(`@opentelemetry/exporter-trace-otlp-${format}`);
const { OTLPLogExporter } = await import(`@opentelemetry/exporter-logs-otlp-${format}`);

const resource = resourceFromAttributes({ 'service.name': 'shop', 'service.version': '1.2.3', 'host.name': 'web-1' });
/** Milliseconds and a nanosecond after 2026-09-21T14:13:20Z. */
const at = (milliseconds) => [1_790_000_000, milliseconds * 1_000_000 + 1];

let refusal;
/** The exporter, watched. */
function watched(exporter) {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      refusal ??= result.error && { message: result.error.message, code: result.error.code };
      done(result);
    });
  return exporter;
}

const traces = new BasicTracerProvider({
  resource,
  spanProcessors: [new BatchSpanProcessor(watched(new OTLPTraceExporter()))],
});
const tracer = traces.getTracer('shop.http', '0.9');
const ids = Array.from({ length: 100 }, (_, i) => {
  const milliseconds = 3 * (i + 1);
  const link = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174', traceFlags: 1 };
  const span = tracer.startSpan('GET /cart/:id', {
    kind: SpanKind.SERVER,
    startTime: at(0),
    attributes: { 'http.request.method': 'GET', 'http.route': '/cart/:id', 'cart.items': i, 'cart.tags': ['a', 'b'] },
    links: [{ context: link, attributes: { why: 'retry' } }],
  });
  tracer.startSpan('SELECT cart', { startTime: at(1) }, trace.setSpan(context.active(), span)).end(at(2));
  span.addEvent('cache miss', { key: 'k' }, at(1));
  if (milliseconds > 250) span.setStatus({ code: SpanStatusCode.ERROR, message: 'too slow' });
  span.end(at(milliseconds));
  return span.spanContext().traceId;
});

const logs = new LoggerProvider({
  resource,
  processors: [new BatchLogRecordProcessor({ exporter: watched(new OTLPLogExporter()) })],
});
const logger = logs.getLogger('shop.log');
const common = { timestamp: at(0), observedTimestamp: at(1), severityNumber: 9, severityText: 'INFO' };
logger.emit({ ...common, body: 'cart opened', attributes: { 'user.id': 'u1', 'cart.items': 2 } });
logger.emit({ ...common, body: { user: 'u1', items: [1, 2] }, eventName: 'cart.opened' });

await Promise.allSettled([traces.forceFlush(), logs.forceFlush()]);
await Promise.allSettled([traces.shutdown(), logs.shutdown()]);
console.log(JSON.stringify({ ids, refusal }));
