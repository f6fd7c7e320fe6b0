/**
 * Sends numbered messages, one at a time, with a program's library, each until it is delivered, and
 * prints the numbers that the library reports as delivered: `node steadily.mjs NAME URL TOKEN
 * DATASET`. Ends when its standard input ends. Run it where the libraries are installed.
 */
const [name, url, token, dataset] = process.argv.slice(2);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const programs = {
  async '@elastic/elasticsearch'({ Client }) {
    const client = new Client({
      node: `${url}/v1/ingest/${dataset}/elastic`,
      auth: { username: 'axiom', password: token },
      maxRetries: 0,
      requestTimeout: 10_000,
    });
    return async (message) => {
      const result = await client.bulk({ operations: [{ create: { _index: 'logs' } }, { message }] });
      if (result.errors) throw new Error(JSON.stringify(result.items));
    };
  },
  async '@fluent-org/logger'({ FluentClient }) {
    const { hostname, port } = new URL(url);
    const make = () =>
      new FluentClient('test', {
        socket: { host: hostname, port: Number(port), timeout: 10_000 },
        security: { clientHostname: 'client', sharedKey: token },
        ack: { ackTimeout: 10_000 },
      });
    let client = make();
    return async (message) => {
      try {
        await client.emit('x', { message });
      } catch (error) {
        client.disconnect().catch(() => undefined);
        client = make();
        throw error;
      }
    };
  },
};

const send = await programs[name](await import(name));
let isOver = false;
process.stdin.resume().on('end', () => (isOver = true));
// Errors that a library throws in addition to its result are about a closed connection: the message
// is sent again.
process.on('uncaughtException', () => undefined);
process.on('unhandledRejection', () => undefined);
for (let number = 0; !isOver; number++) {
  for (;;) {
    try {
      await send(String(number));
      break;
    } catch {
      await pause(100);
    }
  }
  process.stdout.write(`${number}\n`);
  // So that one response can contain all of them.
  await pause(2);
}
process.exit(0);
