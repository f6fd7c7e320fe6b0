const { Axiom } = require('@axiomhq/js');
const { beforeAll, expect, test } = require('@jest/globals');
const { SpanKind, context, trace } = require('@opentelemetry/api');
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-proto');
const { BasicTracerProvider, BatchSpanProcessor } = require('@opentelemetry/sdk-trace-base');
const { pino } = require('pino');
const { startMillrace } = require('@millrace/testing/jest');

/** @type {import('@millrace/testing').Millrace} */
let millrace;
beforeAll(async () => {
  millrace = await startMillrace();
}, 30_000);

test('@axiomhq/js', async () => {
  const logs = millrace.dataset();
  const axiom = new Axiom({ url: millrace.url, token: millrace.token });
  axiom.ingest(logs.name, [{ level: 'error', msg: 'payment timeout', order: { id: 17 } }]);
  await axiom.flush();

  await expect(logs).toHaveLogged({ level: 'error', msg: expect.stringContaining('timeout'), order: { id: 17 } });
  await expect(logs).not.toHaveLogged({ level: 'fatal' }, { settle: 100 });
});

test('pino', async () => {
  const logs = millrace.dataset();
  // Starts a thread, which loads the transport.
  const logger = pino({
    transport: {
      target: '@axiomhq/pino',
      options: { url: millrace.url, token: millrace.token, dataset: logs.name },
    },
  });
  logger.error({ order: 18 }, 'payment timeout');

  await expect(logs).toHaveLogged({ level: 'error', msg: /timeout/, order: 18 });
  expect(await logs.events("where level == 'error' | project order")).toEqual([{ order: 18 }]);
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

  await expect(spans).toHaveSpan({ name: 'charge', parent: 'POST /checkout', attributes: { card: 'visa' } });
  await expect(spans).not.toHaveSpan({ name: 'refund' }, { settle: 100 });
});
