import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Writable } from 'node:stream';
import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import { pack } from '../bytes/pack.js';
import { PackReader } from '../bytes/message-pack.js';

/**
 * How two sides show each other that they know the same key, without saying it:
 *
 *     server   ["HELO", {nonce, auth: "", keepalive: true}]
 *     sender   ["PING", its name, salt, SHA-512 of salt + its name + nonce + key, user, password]
 *     server   ["PONG", whether it is right, reason, its name, SHA-512 of salt + its name + nonce + key]
 */
export class Handshake {
  readonly #key: string;
  readonly #nonce = randomBytes(16);
  #isDone = false;

  constructor(key: string) {
    this.#key = key;
  }

  /** Whether the sender has shown that it knows the key. */
  get isDone(): boolean {
    return this.#isDone;
  }

  get greeting(): Buffer {
    return pack(['HELO', { nonce: this.#nonce, auth: '', keepalive: true }]);
  }

  /**
   * Responds to the sender's part of the handshake.
   * @throws CorruptDataError if the sender does not know the key
   */
  take(ping: Buffer, answers: Pick<Writable, 'write'>): void {
    const reader = new PackReader(ping);
    const parts = reader.enter('list') ?? 0;
    const [kind, name, salt, digest] = parts < 6 ? [] : [reader.text(), reader.take(), reader.take(), reader.text()];
    if (kind !== 'PING' || name === undefined || salt === undefined || digest === undefined)
      throw new CorruptDataError('the sender does not begin with PING, so it has no shared_key');
    const own = name.equals(Buffer.from(serverName)) ? `${serverName}-server` : serverName;
    this.#isDone = isSame(digest, this.#digest(salt, name));
    const fields = this.#isDone ? ['', own, this.#digest(salt, Buffer.from(own))] : ['shared_key mismatch', '', ''];
    answers.write(pack(['PONG', this.#isDone, ...fields]));
    if (!this.#isDone) throw new CorruptDataError('the shared_key of the sender is another one');
  }

  #digest(salt: Buffer, name: Buffer): string {
    return createHash('sha512').update(salt).update(name).update(this.#nonce).update(this.#key).digest('hex');
  }
}

/** Not the host name: Fluentd disconnects from a server that has its own. */
const serverName = 'millrace';

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
