/**
 * Sends `{message: 'first'}` and `{message: 'second'}` with a program's own library:
 * `node send.mjs NAME URL TOKEN DATASET`. It is run where the libraries are installed. It fails if
 * the library does not say that both were delivered.
 */
const [name, url, token, dataset] = process.argv.slice(2);
const messages = ['first', 'second'];
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const programs = {
  async '@elastic/elasticsearch'({ Client }) {
    const client = new Client({
      node: `${url}/v1/ingest/${dataset}/elastic`,
      auth: { username: 'axiom', password: token },
    });
    const info = await client.info();
    if (info.tagline !== 'You Know, for Search') throw new Error(JSON.stringify(info));
    const result = await client.helpers.bulk({
      datasource: messages.map((message) => ({ message })),
      onDocument: () => ({ create: { _index: 'logs' } }),
    });
    if (result.successful !== 2 || result.failed !== 0) throw new Error(JSON.stringify(result));
  },
  async 'winston-loki'({ default: LokiTransport }) {
    const { createLogger } = await import('winston');
    const failed = [];
    const transport = new LokiTransport({
      host: `${url}/v1/ingest/${dataset}/loki`,
      basicAuth: `axiom:${token}`,
      labels: { app: 'test' },
      json: process.env.LOKI_JSON === 'true',
      batching: false,
      onConnectionError: (error) => failed.push(error),
    });
    const logger = createLogger({ transports: [transport] });
    for (const message of messages) logger.info(message);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await transport.flush();
    if (failed.length > 0) throw failed[0];
  },
  async 'splunk-logging'({ default: { Logger } }) {
    const logger = new Logger({ token, url, maxBatchCount: 1 });
    for (const message of messages)
      await new Promise((resolve, reject) => {
        logger.error = reject;
        logger.send({ message: { message }, metadata: { index: dataset } }, (error, _, body) =>
          error === null && body.code === 0 ? resolve() : reject(error ?? new Error(JSON.stringify(body))),
        );
      });
  },
  async libhoney({ default: Libhoney }) {
    const answers = [];
    const honey = new Libhoney({
      apiHost: url,
      writeKey: token,
      dataset,
      responseCallback: (responses) => answers.push(...responses),
    });
    for (const message of messages) honey.sendNow({ message });
    await honey.flush();
    if (answers.length !== 2 || answers.some(({ status_code: status }) => status !== 202))
      throw new Error(JSON.stringify(answers));
  },
  /** Its url is that of a listener, and its token the shared key. */
  async '@fluent-org/logger'({ FluentClient }) {
    const { hostname, port } = new URL(url);
    const client = new FluentClient('test', {
      socket: { host: hostname, port: Number(port), timeout: 30_000 },
      security: { clientHostname: 'client', sharedKey: token },
      ack: { ackTimeout: 30_000 },
      eventMode: process.env.FLUENT_MODE ?? 'Message',
    });
    await Promise.all(messages.map((message) => client.emit('x', { message })));
    await client.disconnect();
  },
  async 'pino-elasticsearch'({ default: pinoElastic }) {
    const { pino } = await import('pino');
    const failed = [];
    const stream = pinoElastic({
      index: 'logs',
      node: `${url}/v1/ingest/${dataset}/elastic`,
      auth: { username: 'axiom', password: token },
      esVersion: 8,
      flushBytes: 10,
    });
    for (const event of ['error', 'insertError', 'unknown']) stream.on(event, (error) => failed.push(error));
    const logger = pino({ messageKey: 'message' }, stream);
    for (const message of messages) logger.info(message);
    await new Promise((resolve) => stream.end(resolve));
    await pause(3000);
    if (failed.length > 0) throw failed[0];
  },
  async 'pino-loki'({ pinoLoki }) {
    const { pino } = await import('pino');
    const stream = pinoLoki({
      host: url,
      endpoint: `/v1/ingest/${dataset}/loki/api/v1/push`,
      basicAuth: { username: 'axiom', password: token },
      batching: false,
      silenceErrors: false,
      labels: { app: 'test' },
    });
    const logger = pino({}, stream);
    for (const message of messages) logger.info(message);
    await pause(3000);
  },
};

await programs[name](await import(name));
process.exit(0);
