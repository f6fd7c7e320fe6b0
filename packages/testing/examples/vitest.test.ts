import axiomPino from '@axiomhq/pino';
import { Axiom } from '@axiomhq/js';
import { SpanKind, context, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startMillrace } from '@millrace/testing';
import '@millrace/testing/vitest';

const millrace = await startMillrace();

test('@axiomhq/js', async () => {
  const logs = millrace.dataset();
  const axiom = new Axiom({ url: millrace.url, token: millrace.token });
  axiom.ingest(logs.name, [{ level: 'error', msg: 'payment timeout', order: { id: 17 } }]);
  await axiom.flush();

  await expect(logs).toHaveLogged({ level: 'error', msg: /timeout/, order: { id: 17 } });
  await expect(logs).not.toHaveLogged({ level: 'fatal' }, { settle: 100 });
});

test('pino', async () => {
  const logs = millrace.dataset();
  const logger = pino(await axiomPino({ url: millrace.url, token: millrace.token, dataset: logs.name }));
  logger.warn({ order: 18 }, 'retrying');
  logger.error({ order: 18 }, 'payment timeout');

  await expect(logs).toHaveLogged({ level: 'error', msg: /timeout/, order: 18 });
  expect(await logs.events("where level == 'warn' | project msg, order")).toEqual([{ msg: 'retrying', order: 18 }]);
});

test('OpenTelemetry', async () => {
  const spans = millrace.dataset();
  // A program that is started by the test gets them as its environment.
  Object.assign(process.env, spans.env);
  const tracer = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  }).getTracer('shop');
  const checkout = tracer.startSpan('POST /checkout', { kind: SpanKind.SERVER });
  tracer.startSpan('charge', { attributes: { card: 'visa' } }, trace.setSpan(context.active(), checkout)).end();
  checkout.end();

  await expect(spans).toHaveSpan({ name: 'charge', parent: 'POST /checkout', attributes: { card: 'visa' } });
  await expect(spans).toHaveSpan({ name: /checkout/, parent: null, kind: 'server' });
  await expect(spans).not.toHaveSpan({ name: 'refund' }, { settle: 100 });
});
