import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** Spans created and sent by OpenTelemetry's SDK. */

const resource = resourceFromAttributes({
  'service.name': 'checkout',
  'service.version': '2.14.3',
  'service.instance.id': '6f1d9c3e-0b57-4f7c-9a44-4f0f7c2b8a11',
  'host.name': 'web-17.example.org',
  'k8s.pod.name': 'checkout-7d9c5b6f4-x2x9z',
  'process.pid': 4711,
  'telemetry.sdk.language': 'nodejs',
  'telemetry.sdk.name': 'opentelemetry',
});
const methods = ['GET', 'GET', 'POST', 'PUT'] as const;
const routes = ['/cart', '/cart/:id', '/orders', '/orders/:id', '/users/:id/profile', '/search', '/login'] as const;
const agents = ['curl/8.5.0', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'] as const;
const statuses = [200, 200, 200, 201, 404, 500] as const;

/** An element of a list, chosen by a hash of a number. */
const oneOf = <T>(list: readonly T[], i: number): T => list[(Math.imul(i, 0x9e3779b1) >>> 8) % list.length]!;

const attributesOf = (i: number): Attributes => ({
  'http.request.method': oneOf(methods, i),
  'http.route': oneOf(routes, i + 1),
  'url.path': oneOf(routes, i + 1).replace(':id', String(i)),
  'http.response.status_code': oneOf(statuses, i + 2),
  'server.address': 'shop.example.org',
  'server.port': 443,
  'client.address': `10.${i & 255}.${(i >> 4) & 255}.${(i * 7) & 255}`,
  'network.protocol.version': '1.1',
  'user_agent.original': oneOf(agents, i + 3),
  'http.request.body.size': (i * 7919) % 100_000,
  'cart.total': ((i * 31) % 10_000) / 100,
  tenant: `tenant-${i % 300}`,
});

function spansOf(count: number): ReadableSpan[] {
  const finished = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(finished)] });
  const tracer = provider.getTracer('shop', '1.0');
  for (let i = 0; i < count; i++) {
    const span = tracer.startSpan(`GET ${oneOf(routes, i)}`, { kind: SpanKind.SERVER, attributes: attributesOf(i) });
    if (i % 5 === 0) span.addEvent('retry', { attempt: i % 3, reason: 'connection reset by peer' });
    if (i % 10 === 0) span.addLink({ context: span.spanContext() });
    if (i % 20 === 0) span.setStatus({ code: SpanStatusCode.ERROR, message: 'upstream said "no"' });
    span.end();
  }
  return finished.getFinishedSpans();
}

/** The same spans in both formats of OTLP. */
export async function otlpBodies(count: number): Promise<{ readonly protobuf: Buffer; readonly json: Buffer }> {
  const spans = spansOf(count);
  return {
    protobuf: await captureBody((url) => new ProtobufExporter({ url }), spans),
    json: await captureBody((url) => new JsonExporter({ url }), spans),
  };
}

interface Exporter {
  export(spans: ReadableSpan[], done: (result: unknown) => void): void;
  shutdown(): Promise<void>;
}

/** The body that an exporter sends. */
async function captureBody(exporterOf: (url: string) => Exporter, spans: ReadableSpan[]): Promise<Buffer> {
  const bodies: Promise<Buffer>[] = [];
  const server = createServer((request, response) => {
    const body = buffer(request);
    bodies.push(body);
    void body.then(() => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const exporter = exporterOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await new Promise((resolve) => exporter.export(spans, resolve));
  await exporter.shutdown();
  server.closeAllConnections();
  server.close();
  const [body] = bodies;
  if (body === undefined) throw new Error('the exporter sent nothing');
  return body;
}
