import assert from 'node:assert';
import { test } from 'node:test';
import { Axiom } from '@axiomhq/js';
import axiomPino from '@axiomhq/pino';
import { SpanKind, context, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { pino } from 'pino';
import { assertLogged, assertNoSpan, assertNotLogged, assertSpan, startMillrace } from '@millrace/testing/node';

const millrace = await startMillrace();

test('@axiomhq/js', async () => {
  const logs = millrace.dataset();
  const axiom = new Axiom({ url: millrace.url, token: millrace.token });
  axiom.ingest(logs.name, [{ level: 'error', msg: 'payment timeout', order: { id: 17 } }]);
  await axiom.flush();

  await assertLogged(logs, { level: 'error', msg: /timeout/, order: { id: 17 } });
  await assertNotLogged(logs, { level: 'fatal' }, { settle: 100 });
});

test('pino', async () => {
  const logs = millrace.dataset();
  const logger = pino(await axiomPino({ url: millrace.url, token: millrace.token, dataset: logs.name }));
  logger.error({ order: 18 }, 'payment timeout');

  await assertLogged(logs, { level: 'error', msg: /timeout/, order: 18 });
  assert.deepEqual(await logs.events("where level == 'error' | project order"), [{ order: 18 }]);
});

test('OpenTelemetry', async () => {
  const spans = millrace.dataset();
  Object.assign(process.env, spans.env);
  const tracer = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  }).getTracer('shop');
  const checkout = tracer.startSpan('POST /checkout', { kind: SpanKind.SERVER });
  tracer.startSpan('charge', { attributes: { card: 'visa' } }, trace.setSpan(context.active(), checkout)).end();
  checkout.end();

  await assertSpan(spans, { name: 'charge', parent: 'POST /checkout', attributes: { card: 'visa' } });
  await assertNoSpan(spans, { name: 'refund' }, { settle: 100 });
});
