import { setTimeout as sleep } from 'node:timers/promises';
import type { Life } from './life.js';
import type { Random } from './random.js';
import type { Server } from './server.js';

/** The ways in which a life is ended, and how often each is chosen. */
export const strikes = {
  'the server is killed': 34,
  'server and engine are killed': 15,
  'the engine is killed': 14,
  'the engine is killed, then the server': 12,
  'the server is stopped': 12,
  'the server is stopped, then killed': 8,
  'the engine hangs': 2,
  'killed while it starts': 15,
} as const satisfies Readonly<Record<string, number>>;

type Strike = keyof typeof strikes;

const patienceMilliseconds = 60_000;

/**
 * Strikes while the clients are at work; returns whether the server lives on. The clients should
 * end when this resolves.
 */
export async function strike(life: Life, how: string, random: Random): Promise<boolean> {
  const { server } = life;
  const soon = random.between(0, 900);
  const first = random.chance(0.5);
  life.struck = true;
  switch (how as Strike) {
    // The strike happens during the next start.
    case 'killed while it starts':
    case 'the server is killed':
      await server.kill();
      return false;
    case 'server and engine are killed':
      if (first) server.signalEngine('SIGKILL');
      await Promise.all([server.kill(), !first && server.signalEngine('SIGKILL')]);
      return false;
    case 'the engine is killed, then the server':
      server.signalEngine('SIGKILL');
      await sleep(soon);
      await server.kill();
      return false;
    case 'the server is stopped':
      await stop(life);
      return false;
    case 'the server is stopped, then killed':
      void server.stop();
      await sleep(soon / 3);
      await server.kill();
      return false;
    case 'the engine is killed':
      await loseEngine(life, 'SIGKILL', soon);
      return true;
    case 'the engine hangs':
      await loseEngine(life, 'SIGSTOP', soon);
      return true;
  }
}

async function stop({ server, tally }: Life): Promise<void> {
  const code = await server.stop();
  if (code !== 0) tally.violation('unexpected', `the server was stopped and ended with ${code}\n${server.printed}`);
}

/** Ends the engine's process with a signal, while the clients go on. */
async function loseEngine(life: Life, signal: NodeJS.Signals, soon: number): Promise<void> {
  const { server, tally } = life;
  const before = server.enginePid();
  if (!server.signalEngine(signal)) tally.violation('unexpected', `there is no engine to kill\n${server.printed}`);
  const began = performance.now();
  await sleep(soon);
  const late = began + patienceMilliseconds;
  while (server.enginePid() === before || !(await isWell(server))) {
    if (performance.now() > late || server.ended) {
      tally.violation('unexpected', `the engine does not come back\n${server.printed}`);
      return;
    }
    await sleep(20);
  }
  tally.engineBack(performance.now() - began);
}

const isWell = (server: Server): Promise<boolean> =>
  server.request('/healthz').then(
    ({ status }) => status === 200,
    () => false,
  );
