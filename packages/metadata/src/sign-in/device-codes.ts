import { randomInt } from 'node:crypto';
import { type Clock, timestamp } from '../clock.js';
import type { Connection, Database } from '../database.js';
import { hashSecret, newSessionSecret } from '../secrets.js';

/** A program that waits for a person to let it sign in. */
export interface DeviceRequest {
  /** Name that the program gave itself. */
  readonly name: string;
  readonly address: string;
  /** Lifetime of its token, milliseconds. */
  readonly lifetime: number;
  readonly expires: string;
  /** The user who approved it. */
  readonly userId?: string;
  /** JSON of the rights of the approving token, if they are limited. */
  readonly within?: string;
  /** The identity that the user was signed in with. */
  readonly identityId?: string;
}

const lifetime = 10 * 60_000;
/** Without vowels, so that no words appear, and without letters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** What a person types: capital letters without separators. */
const normal = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z]/g, '');

/** Programs that sign in with a code that a person types. Only hashes of codes are stored. */
export class DeviceCodes {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #org: number;

  constructor(database: Database, clock: Clock, org = 0) {
    this.#org = org;
    this.#database = database;
    this.#clock = clock;
  }

  /** @param max maximum waiting programs; a further one replaces the one that expires first */
  async create(
    request: Pick<DeviceRequest, 'name' | 'address' | 'lifetime'>,
    max: number,
  ): Promise<{ readonly deviceCode: string; readonly userCode: string; readonly expires: string }> {
    const deviceCode = newSessionSecret(this.#org);
    const typed = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('');
    const expires = timestamp(() => this.#clock() + lifetime);
    await this.#database.transaction().execute(async (connection) => {
      await this.#forgetOver(connection);
      await connection
        .insertInto('device_codes')
        .values({
          hash: hashSecret(deviceCode),
          user_code: hashSecret(typed),
          ...request,
          expires,
          user_id: null,
          within: null,
          identity_id: null,
        })
        .execute();
      const first = await connection
        .selectFrom('device_codes')
        .select('hash')
        .orderBy('expires', 'desc')
        .limit(1000)
        .offset(max)
        .execute();
      if (first.length > 0)
        await connection
          .deleteFrom('device_codes')
          .where(
            'hash',
            'in',
            first.map(({ hash }) => hash),
          )
          .execute();
    });
    return { deviceCode, userCode: `${typed.slice(0, 4)}-${typed.slice(4)}`, expires };
  }

  /** The program that shows a code to its user. */
  async findByUserCode(userCode: string): Promise<DeviceRequest | undefined> {
    return this.#find('user_code', hashSecret(normal(userCode)));
  }

  /** @returns whether the program was still waiting */
  async approve(
    userCode: string,
    { userId, within, identityId }: Pick<DeviceRequest, 'userId' | 'within' | 'identityId'>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('device_codes')
      .set({ user_id: userId, within: within ?? null, identity_id: identityId ?? null })
      .where('user_code', '=', hashSecret(normal(userCode)))
      .where('user_id', 'is', null)
      .where('expires', '>', timestamp(this.#clock))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** @returns whether the program was still waiting */
  async deny(userCode: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('device_codes')
      .where('user_code', '=', hashSecret(normal(userCode)))
      .where('user_id', 'is', null)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async findByDeviceCode(deviceCode: string): Promise<DeviceRequest | undefined> {
    return this.#find('hash', hashSecret(deviceCode));
  }

  /** Uses the code of an approved program up; of two requests, one gets true. */
  async take(deviceCode: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('device_codes')
      .where('hash', '=', hashSecret(deviceCode))
      .where('user_id', 'is not', null)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async #find(column: 'hash' | 'user_code', value: string): Promise<DeviceRequest | undefined> {
    const row = await this.#database
      .selectFrom('device_codes')
      .selectAll()
      .where(column, '=', value)
      .where('expires', '>', timestamp(this.#clock))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { name, address, expires, user_id, within, identity_id } = row;
    return {
      name,
      address,
      expires,
      lifetime: Number(row.lifetime),
      ...(user_id !== null && { userId: user_id }),
      ...(within !== null && { within }),
      ...(identity_id !== null && { identityId: identity_id }),
    };
  }

  async #forgetOver(connection: Connection): Promise<void> {
    await connection.deleteFrom('device_codes').where('expires', '<=', timestamp(this.#clock)).execute();
  }
}
