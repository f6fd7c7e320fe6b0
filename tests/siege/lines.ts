import { type Attack, attackedDataset, endless, mayIngest, mayQuery, type Message, type Rights } from './attack.js';

/** Constructors for the lines of the attack tables. */

/** One request. */
export const sendOnce = (name: string, rights: Rights, message: () => Message): Attack => ({
  name,
  rights,
  run: (attacker) => attacker.send(message()),
});

/** Repeats a request from several clients until the time is up. */
export const sendRepeatedly = (clients: number, name: string, rights: Rights, message: () => Message): Attack => ({
  name: `${name}, from ${clients} clients`,
  rights,
  run: (attacker) => attacker.flood(clients, endless(message())),
});

const queryMessage = (apl: string): Message => ({
  path: '/v1/datasets/_apl?format=tabular',
  body: JSON.stringify({ apl }),
});

/** A query. */
export const query = (name: string, apl: () => string): Attack => sendOnce(name, mayQuery, () => queryMessage(apl()));
/** A query from many clients. */
export const queries = (clients: number, name: string, apl: () => string): Attack =>
  sendRepeatedly(clients, name, mayQuery, () => queryMessage(apl()));

const ingestMessage = (body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}): Message => ({
  path: `/v1/datasets/${attackedDataset}/ingest`,
  body,
  headers,
});

/** A body of events. */
export const ingest = (name: string, body: () => string): Attack =>
  sendOnce(name, mayIngest, () => ingestMessage(body()));
/** A body of events, compressed with gzip. */
export const sendPacked = (name: string, body: () => Uint8Array<ArrayBuffer>): Attack =>
  sendOnce(name, mayIngest, () => ingestMessage(body(), { 'content-encoding': 'gzip' }));
/** The same from many clients. */
export const packedByMany = (clients: number, name: string, body: () => Uint8Array<ArrayBuffer>): Attack =>
  sendRepeatedly(clients, name, mayIngest, () => ingestMessage(body(), { 'content-encoding': 'gzip' }));
