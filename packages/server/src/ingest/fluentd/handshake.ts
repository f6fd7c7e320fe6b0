import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { hostname } from 'node:os';
import type { Writable } from 'node:stream';
import { DamagedError } from '../bytes/damaged-error.js';
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
   * Answers the sender's part.
   * @throws DamagedError if the sender does not know the key
   */
  take(ping: Buffer, answers: Pick<Writable, 'write'>): void {
    const reader = new PackReader(ping);
    const parts = reader.enter('list') ?? 0;
    const [kind, name, salt, digest] = parts < 6 ? [] : [reader.text(), reader.take(), reader.take(), reader.text()];
    if (kind !== 'PING' || name === undefined || salt === undefined || digest === undefined)
      throw new DamagedError('the sender does not begin with PING, so it has no shared_key');
    const own = hostname();
    this.#isDone = isSame(digest, this.#digest(salt, name));
    const said = this.#isDone ? ['', own, this.#digest(salt, Buffer.from(own))] : ['shared_key mismatch', '', ''];
    answers.write(pack(['PONG', this.#isDone, ...said]));
    if (!this.#isDone) throw new DamagedError('the shared_key of the sender is another one');
  }

  #digest(salt: Buffer, name: Buffer): string {
    return createHash('sha512').update(salt).update(name).update(this.#nonce).update(this.#key).digest('hex');
  }
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
