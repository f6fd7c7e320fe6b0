import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import { pack } from '../bytes/pack.js';
import { PackFrames } from '../bytes/pack-frames.js';
import { portionsOf } from '../sockets/chunks.js';
import type { Connection } from '../sockets/socket-protocol.js';
import { Handshake } from './handshake.js';
import { chunkOf } from './parse-messages.js';

/** A nil is a heartbeat. */
const nil = 0xc0;

/**
 * Reads the messages of a connection. Acknowledges a message, if its sender requests that, when it
 * is on disk.
 */
export async function readConnection(connection: Connection): Promise<void> {
  const { pieces, answers, settings, holds } = connection;
  const frames = new PackFrames(settings.maxFluentdMessageBytes);
  const { fluentdSharedKey } = settings;
  const handshake = fluentdSharedKey === undefined ? undefined : new Handshake(fluentdSharedKey);
  if (handshake !== undefined) answers.write(handshake.greeting);
  for await (const portion of portionsOf(pieces)) {
    for (const message of frames.push(portion)) {
      if (message.length === 1 && message[0] === nil) continue;
      if (handshake?.isDone === false) handshake.take(message, answers);
      else await take(message, connection);
    }
    holds(frames.bufferedBytes);
  }
}

async function take(message: Buffer, { answers, add, store }: Connection): Promise<void> {
  if (!isList(message[0]!)) throw new CorruptDataError('this is not a message of the forward protocol');
  const chunk = chunkOf(message);
  if (chunk === undefined) return void (await add(message));
  await store(message, chunk);
  answers.write(pack({ ack: chunk }));
}

const isList = (first: number): boolean => (first & 0xf0) === 0x90 || first === 0xdc || first === 0xdd;
