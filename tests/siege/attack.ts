import { setMaxListeners } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../crash/random.js';
import type { Server } from '../crash/server.js';

/**
 * Abilities of an attacker: sends requests and opens connections, with a token that has one right,
 * until the time is up.
 */

/** The datasets that attackers may be allowed to use, and the one of the victim. */
export const attackedDataset = 'attacked';
export const attackedMetrics = 'attacked-metrics';
export const victims = 'victim';
/** A dataset that no attacker may query, and a value of its events. */
export const confidential = { dataset: 'confidential', value: 'value-of-confidential' } as const;

/** Rights of an API token, as `POST /v2/tokens` takes them. */
export interface Rights {
  readonly datasetCapabilities?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly orgCapabilities?: Readonly<Record<string, readonly string[]>>;
}

const onAttacked = (resource: string, action: string): Rights => ({
  datasetCapabilities: { [attackedDataset]: { [resource]: [action] } },
});
export const mayIngest = onAttacked('ingest', 'create');
export const mayIngestMetrics: Rights = { datasetCapabilities: { [attackedMetrics]: { ingest: ['create'] } } };
export const mayQuery = onAttacked('query', 'read');

export interface Message {
  readonly path: string;
  readonly method?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One line of a table of attacks. */
export interface Attack {
  readonly name: string;
  readonly rights: Rights;
  /** The server must reject all of it. */
  readonly mustFail?: true;
  run(attacker: Attacker): Promise<void>;
}

/** Attacks of one kind; the short siege runs only the first of each. */
export interface Kind {
  readonly attacks: readonly Attack[];
  /** Generates a random attack of the kind. */
  relative?(random: Random): Attack;
}

/** The protocols with raw sockets, and the ports on which the server listens for them. */
export type Ports = Readonly<Record<'syslog' | 'fluentd' | 'gelf' | 'grpc', number>>;

/** What an attacker can reach beside the interface. */
export interface Surroundings {
  readonly ports: Ports;
  readonly notifiers: readonly { readonly id: string }[];
}

/** A running attack. */
export class Attacker {
  /** Status → number of responses. */
  readonly statuses = new Map<string, number>();
  readonly #server: Server;
  readonly token: string;
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
  readonly ports: Ports;
  /** Notifiers of others. */
  readonly notifiers: readonly { readonly id: string }[];
  readonly #sockets = new Set<Socket>();

  constructor(server: Server, { ports, notifiers }: Surroundings, token: string, signal: AbortSignal) {
    this.notifiers = notifiers;
    this.#server = server;
    this.ports = ports;
    this.token = token;
    this.signal = signal;
    // Every request listens to it until it is collected as garbage; `fetch` warns of more than
    // 1,500.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', () => this.#sockets.forEach((socket) => socket.destroy()));
  }

  /** Sends a request and reads its response; aborts it when the time is up. */
  async send(message: Message): Promise<void> {
    await this.ask(message);
  }

  /** Returns the beginning of the response, which may be needed for the next request. */
  async ask({ path, method, body, headers }: Message): Promise<string> {
    if (this.signal.aborted) return '';
    let beginning = '';
    try {
      const answer = await fetch(this.#server.url + path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...headers },
        signal: this.signal,
        ...(body !== undefined && { body }),
      });
      this.count(`${answer.status}`);
      // Large responses are read and discarded.
      for await (const chunk of answer.body ?? []) {
        const part = Buffer.from(chunk as Uint8Array);
        if (part.includes(confidential.value)) this.count(leakLabel);
        if (beginning.length < 10_000) beginning += part.toString();
      }
    } catch {
      this.count(this.signal.aborted ? 'no answer in time' : 'broken off');
    }
    return beginning;
  }

  /**
   * Sends from several clients concurrently, each its next message as soon as the last is answered,
   * until there are no more.
   */
  async flood(clients: number, messages: Iterable<Message>): Promise<void> {
    const rest = messages[Symbol.iterator]();
    const client = async (): Promise<void> => {
      for (let next = rest.next(); next.done !== true && !this.signal.aborted; next = rest.next())
        await this.send(next.value);
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  /**
   * A connection on which anything can be written, to the port of HTTP or another; closed when the
   * time is up.
   */
  connect(other?: number): Socket {
    const { hostname, port } = new URL(this.#server.url);
    const socket = connect({ host: hostname, port: other ?? Number(port) });
    this.#sockets.add(socket);
    socket.on('error', () => this.count('connection refused or reset'));
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  /**
   * Writes a prefix and then the same chunk endlessly, as fast as it is accepted; reconnects when
   * the connection is closed, until the time is up.
   */
  async pour(port: number | undefined, beginning: Uint8Array, piece: Uint8Array): Promise<void> {
    while (!this.signal.aborted) {
      const socket = this.connect(port);
      const write = (): void => {
        // A socket that is drained as fast as it is written never signals backpressure.
        for (let times = 0; times < 100; times++) if (socket.destroyed || !socket.write(piece)) return;
        setImmediate(write);
      };
      socket.once('data', (answer: Buffer) =>
        this.count(/^HTTP\S+ (\d+)/.exec(answer.toString('latin1'))?.[1] ?? 'an answer'),
      );
      socket.once('connect', () => {
        socket.write(beginning);
        write();
      });
      socket.on('drain', write);
      await new Promise((resolve) => socket.once('close', resolve));
      await sleep(10);
    }
  }

  /** An HTTP/2 connection to the port of gRPC; closed when the time is up. */
  connectGrpc(): ClientHttp2Session {
    const session = connectHttp2(`http://127.0.0.1:${this.ports.grpc}`);
    session.on('error', () => this.count('connection refused or reset'));
    const destroy = (): void => session.destroy();
    session.once('close', () => this.signal.removeEventListener('abort', destroy));
    this.signal.addEventListener('abort', destroy);
    return session;
  }

  /** Waits until the time is up. */
  wait(): Promise<void> {
    if (this.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  /** Counts a response, by its status. */
  count(what: string): void {
    this.statuses.set(what, (this.statuses.get(what) ?? 0) + 1);
  }
}

/** Counted beside the statuses: a response had a value of {@link confidential}. */
export const leakLabel = 'a value that must not be seen';

/** Repeats one message. */
export function* endless(message: Message): Generator<Message> {
  for (;;) yield message;
}
