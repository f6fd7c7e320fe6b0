import type { Client, ClientConfig } from 'pg';
import { Singleflight } from '@millrace/runtime/async/singleflight';
import { reasonOf } from './reason.js';

/** A URL with several hosts, divided into one URL per host. */
interface DatabaseHosts {
  readonly urls: readonly string[];
  /** Whether only a host that accepts writes may be used. */
  readonly isReadWrite: boolean;
}

const defaultPort = '5432';

/**
 * Parses a URL as libpq does: `postgres://user@a:5432,b:5432/name?target_session_attrs=read-write`.
 * With several hosts only the one that accepts writes is used.
 */
export function hostsOf(url: string): DatabaseHosts {
  const [, begin = '', authority = '', rest = ''] = /^(\w+:\/\/(?:[^/]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  const hosts = authority.split(',');
  const [path = '', query = ''] = rest.split(/\?(.*)/s);
  const parameters = query.split('&').filter((each) => each !== '');
  const others = parameters.filter((each) => !each.startsWith('target_session_attrs='));
  const wanted = parameters.includes('target_session_attrs=read-write');
  const end = `${path}${others.length === 0 ? '' : `?${others.join('&')}`}`;
  return { urls: hosts.map((host) => `${begin}${host}${end}`), isReadWrite: hosts.length > 1 || wanted };
}

/** Hosts and database of a URL, for messages: without user and password. */
export function placeOf(url: string): string {
  const parsed = hostsOf(url).urls.map((each) => new URL(each));
  return `${parsed.map(({ host }) => host).join(',')}${parsed[0]?.pathname ?? ''}`;
}

interface Host {
  readonly host: string;
  readonly port: number;
}

/** A result is used for new connections during this time: many are opened at once. */
const keptMilliseconds = 1000;

/** Finds the host that accepts writes: the first to say so of those that respond. */
export class PrimaryHost {
  readonly #hosts: readonly { readonly name: string; readonly url: string; readonly host: Host }[];
  readonly #open: (url: string) => Client;
  readonly #search = new Singleflight(() => this.#find());
  #cachedHost: { readonly host: Host; readonly until: number } | undefined;

  /** @param open a client that is not connected, with a timeout */
  constructor({ urls }: DatabaseHosts, open: (url: string) => Client) {
    this.#hosts = urls.map((url) => {
      const { hostname, port, host } = new URL(url);
      return {
        name: host,
        url,
        host: { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port || defaultPort) },
      };
    });
    this.#open = open;
  }

  /** @throws Error with the reason of each host */
  async find(): Promise<Host> {
    if (this.#cachedHost !== undefined && performance.now() < this.#cachedHost.until) return this.#cachedHost.host;
    return this.#search.get();
  }

  async #find(): Promise<Host> {
    const failures: string[] = [];
    const searches = this.#hosts.map(async ({ name, url, host }) => {
      const problem = await this.#problemOf(url);
      if (problem === undefined) return host;
      failures.push(`${name}: ${problem}`);
      throw new Error(problem);
    });
    const host = await Promise.any(searches).catch(() => {
      throw new Error(`no host accepts writes (${failures.toSorted().join('; ')})`);
    });
    this.#cachedHost = { host, until: performance.now() + keptMilliseconds };
    return host;
  }

  /** Why a host cannot be used; undefined if it accepts writes. */
  async #problemOf(url: string): Promise<string | undefined> {
    const client = this.#open(url);
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ isReadOnly: string }>(
        `SELECT current_setting('transaction_read_only') AS "isReadOnly"`,
      );
      return rows[0]?.isReadOnly === 'off' ? undefined : 'a standby, or read-only';
    } catch (error) {
      return reasonOf(error);
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

type ClientClass = new (config?: string | ClientConfig) => Client;

/** A class of clients, for a pool, that connect to the host that accepts writes at that moment. */
export function clientsOf(base: ClientClass, primary: Pick<PrimaryHost, 'find'>): ClientClass {
  return class extends base {
    override connect(): Promise<Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<Client> | void {
      if (callback === undefined) return this.#connectToPrimary();
      void this.#connectFor(callback as (error?: Error) => void);
    }

    /** As pg's own client, it passes nothing when it has succeeded. */
    async #connectFor(callback: (error?: Error) => void): Promise<void> {
      let failure: Error | undefined;
      try {
        await this.#connectToPrimary();
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
      callback(failure);
    }

    async #connectToPrimary(): Promise<Client> {
      Object.assign(this, await primary.find());
      return super.connect();
    }
  };
}
