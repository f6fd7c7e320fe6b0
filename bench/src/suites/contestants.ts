import { setTimeout as sleep } from 'node:timers/promises';
import { bytesOnDisk } from '../bytes-on-disk.js';
import { Connection } from '../connection.js';
import { bodiesOf, type Body } from '../data/bodies.js';
import type { Shape } from '../data/shape.js';
import type { FamilyFigures } from '../family-figures.js';
import { run, send, sendingOf } from '../load.js';
import type { PeerQuestion } from '../queries/peers.js';
import { apl, createDataset, startServer } from '../server.js';
import type { Context } from '../world.js';
import { startPeer } from '../baselines/peer.js';
import { partsOf } from './loading.js';

/** Cost of loading a file. */
export interface LoadCost {
  /** Size of the events before any encoding. */
  readonly bytes: number;
  /** From the first byte sent until a query sees all events. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  /** Everything in its directory right after the load, and after some time without work. */
  readonly loadedBytes: number;
  readonly restBytes: number;
}

/** A store that is compared, running alone. */
export interface Contestant extends Pick<FamilyFigures, 'cpuMilliseconds'> {
  readonly name: string;
  load(shape: Shape, path: string): Promise<LoadCost>;
  /** Runs all queries until the code is warm. */
  warm(questions: readonly PeerQuestion[]): Promise<void>;
  /** Columns of the result. */
  ask(question: PeerQuestion, run: number): Promise<readonly (readonly unknown[])[]>;
  stop(): Promise<void>;
}

/** The differences between the stores. */
interface Store extends FamilyFigures {
  readonly name: string;
  begin(shape: Shape): Promise<unknown>;
  send(shape: Shape, bodies: readonly Body[]): Promise<unknown>;
  /** Waits until a query sees all events. */
  seen(shape: Shape): Promise<unknown>;
  answer(question: PeerQuestion, value: string): Promise<readonly (readonly unknown[])[]>;
  stop(): Promise<void>;
}

const eventsPerBody = 5000;
const clients = 2;

/** A round over many events takes seconds, and has the effect of several over few. */
const maxRounds = 10;

/** Offset of the values used for warm-up, beyond those of the timed runs. */
const warmRuns = 1000;

/** Opens one after the other, each on an empty directory. */
export const openContestants = (
  { sizes, say }: Context,
  peer: string,
): readonly ((directory: string) => Promise<Contestant>)[] =>
  [openOurs, (directory: string) => openTheirs(peer, directory)].map((open) => async (directory) => {
    const store = await open(directory);
    const ask = (question: PeerQuestion, run: number) => store.answer(question, question.value?.(run) ?? '');
    return {
      name: store.name,
      cpuMilliseconds: store.cpuMilliseconds,
      ask,
      load: async (shape, path) => {
        await store.begin(shape);
        store.forgetPeak();
        const cpu = store.cpuSeconds();
        let seconds = 0;
        let bytes = 0;
        for await (const lines of partsOf(path, 40 * eventsPerBody)) {
          const bodies = await bodiesOf(lines, eventsPerBody);
          bytes += bodies.reduce((sum, { rawBytes }) => sum + rawBytes, 0);
          const started = performance.now();
          await store.send(shape, bodies);
          seconds += (performance.now() - started) / 1000;
        }
        const sent = performance.now();
        await store.seen(shape);
        seconds += (performance.now() - sent) / 1000;
        const cpuSeconds = store.cpuSeconds() - cpu;
        const loadedBytes = bytesOnDisk(directory);
        say(`${store.name} rests`);
        await sleep(sizes.peerRestSeconds * 1000);
        return {
          bytes,
          seconds,
          cpuSeconds,
          peakBytes: store.peakBytes(),
          loadedBytes,
          restBytes: bytesOnDisk(directory),
        };
      },
      warm: async (questions) => {
        for (let round = 0; round < Math.min(sizes.warmingRounds, maxRounds); round++)
          for (const question of questions) await ask(question, warmRuns + round);
      },
      stop: store.stop,
    };
  });

async function openOurs(directory: string): Promise<Store> {
  const server = await startServer(directory);
  const connection = new Connection(server.host, server.port);
  return {
    ...server,
    name: 'Millrace',
    begin: ({ name }) => createDataset(server, name),
    send: (shape, bodies) => send(server, { dataset: shape.name, ...sendingOf(shape, bodies, clients) }),
    seen: ({ name }) => apl(server, `['${name}'] | count`),
    answer: ({ apl: text, columns }, value) => apl(server, text.replaceAll('$value', value), { connection, columns }),
  };
}

async function openTheirs(path: string, directory: string): Promise<Store> {
  const peer = await startPeer(path, directory);
  const connection = new Connection(peer.host, peer.port);
  return {
    ...peer,
    name: 'the peer',
    begin: async () => undefined,
    send: (shape, bodies) => {
      let next = 0;
      return run(peer, clients, async (own) => {
        const body = bodies[next++];
        if (body === undefined) return false;
        const { status, body: answer } = await own.request(peer.sending(own, shape, body.bytes));
        if (status !== 200) throw new Error(`${status}: ${answer.toString().slice(0, 500)}`);
        return true;
      });
    },
    seen: async () => {
      await peer.flush(connection);
      await peer.ask(connection, '* | stats count() n');
    },
    answer: async ({ logsQl, columns }, value) => {
      const rows = await peer.ask(connection, logsQl.replaceAll('$value', value));
      return columns.map((name) => rows.map((row) => row[name]));
    },
  };
}
