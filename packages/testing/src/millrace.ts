import { randomUUID } from 'node:crypto';
import { environmentFor } from './environment.js';
import type { Event, ReceivedEvent } from './event.js';
import { checkOf, type Limits, type WaitOptions } from './options.js';
import { realTime } from './poll.js';
import { rejectedRequests } from './rejected-requests.js';
import { isRunning, type ServerProcess, tailOf } from './server-process.js';
import { type Source, withSource } from './source.js';
import { openStore, type Store } from './store.js';
import { waitForEvents } from './wait-for-events.js';

/** A dataset of one test. The server creates it when the first event arrives. */
export interface Dataset {
  readonly name: string;
  /** Variables for the tested program, which then sends to this dataset. */
  readonly env: Readonly<Record<string, string>>;
  /** As `events` of the server, for this dataset. */
  events(operators?: string, options?: WaitOptions): Promise<readonly Event[]>;
}

/** A server for tests. It ends with the process that started it. */
export interface Millrace {
  readonly url: string;
  /** An API token that may send, query and create datasets. */
  readonly token: string;
  /** Variables that clients, log transports and OpenTelemetry SDKs read, for the tested program. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Names a fresh dataset.
   * @param prefix start of its name
   */
  dataset(prefix?: string): Dataset;
  /**
   * Waits until a query of a dataset has results, and returns them, in order of time if the query
   * does not sort.
   * @param operators APL after the dataset: `where level == 'error'`
   * @throws Error that says what the dataset has instead
   */
  events(dataset: string, operators?: string, options?: WaitOptions): Promise<readonly Event[]>;
  /** Deletes all datasets, for programs that send to fixed names. */
  clear(): Promise<void>;
  /** Stops the server before the process ends. */
  stop(): Promise<void>;
}

interface Connection {
  readonly server: ServerProcess;
  readonly token: string;
  /** Names of the datasets of tests, which share the server. */
  readonly fresh: Set<string>;
  readonly limits: Limits;
  readonly stop: () => Promise<void>;
}

export function openMillrace({ server, token, fresh, limits, stop }: Connection): Millrace {
  const store = explainingEnd(openStore(server.url, server.ownerToken), server);
  const began = realTime();

  const sourceFor = (label: string, since: number, isIncluded: (name: string) => boolean): Source => {
    const read = async (isWanted: (name: string) => boolean): Promise<readonly ReceivedEvent[]> => {
      const names = (await store.datasets()).filter(isWanted);
      return (await Promise.all(names.map((name) => newestEvents(store, name, limits.maxEvents)))).flat();
    };
    return {
      label,
      limits,
      read: () => read(isIncluded),
      readOthers: () => read((name) => !isIncluded(name) && !fresh.has(name)),
      rejected: () => rejectedRequests(server.log, since),
    };
  };
  const datasetSource = (name: string, since: number): Source =>
    sourceFor(`dataset ${name}`, since, (other) => other === name);
  const events = (source: Source, name: string, operators = 'where true', options: WaitOptions = {}) =>
    waitForEvents(store, source, { dataset: name, operators, ...checkOf(options, limits) });

  const millrace: Millrace = {
    url: server.url,
    token,
    env: environmentFor({ url: server.url, token }),
    dataset(prefix = 'test') {
      const name = `${prefix}-${randomUUID().slice(0, 8)}`;
      fresh.add(name);
      const source = datasetSource(name, realTime());
      const dataset: Dataset = {
        name,
        env: environmentFor({ url: server.url, token, dataset: name }),
        events: (operators, options) => events(source, name, operators, options),
      };
      return withSource(dataset, source);
    },
    events: (name, operators, options) => events(datasetSource(name, began), name, operators, options),
    async clear() {
      for (const name of await store.datasets()) await store.deleteDataset(name);
    },
    stop,
  };
  return withSource(
    millrace,
    sourceFor('the server', began, () => true),
  );
}

/** In order of time. */
async function newestEvents(store: Store, dataset: string, max: number): Promise<readonly ReceivedEvent[]> {
  const events = await store.query(dataset, `sort by _time desc | take ${max}`);
  return events.toReversed().map((event) => ({ dataset, event }));
}

/** A server that has ended is the reason of any failure. */
function explainingEnd(store: Store, server: ServerProcess): Store {
  const explainErrors =
    <A extends readonly unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await run(...args);
      } catch (error) {
        if (isRunning(server)) throw error;
        throw new Error(`the server of startMillrace() has ended:\n${tailOf(server.log)}`, { cause: error });
      }
    };
  return {
    query: explainErrors(store.query),
    datasets: explainErrors(store.datasets),
    deleteDataset: explainErrors(store.deleteDataset),
  };
}
