import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { FrameSocket } from '../frames.js';
import type { DetachLimits, FromChild, PoolName, ToChild } from '../messages.js';
import { baseSettings, laneSettings, mergeSettings } from '../settings.js';
import { Control } from './control.js';
import { WorkerPool } from './worker-pool.js';
import { loadSessions } from './session.js';
import { type RunRequest, Statement } from './statement.js';
import { Worker } from './worker.js';

/**
 * The engine's process: reads calls from descriptor 3, runs them on sessions and writes back the
 * outcomes. It does not outlive its parent: when the descriptor closes, it kills itself at once,
 * which the data survive by design.
 */

/** Shortest time between two heartbeats, which follow pings. */
const heartbeatMilliseconds = 1000;
let lastHeartbeat = -Infinity;
const socket = new Socket({ fd: 3 });
const frames = new FrameSocket<FromChild, ToChild>(socket, { message: receive, piece: () => undefined });
const statements = new Map<number, Statement>();
let lanes: Readonly<Record<PoolName, WorkerPool>> | undefined;
let control: Control | undefined;
let detachLimits: DetachLimits = { afterMilliseconds: Infinity, max: 0 };

// The parent decides when to end; a signal to the whole process group must not pre-empt its orderly
// close.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
socket.on('close', () => process.kill(process.pid, 'SIGKILL'));
socket.on('error', () => socket.destroy());

function receive(call: number, message: ToChild): void {
  switch (message.type) {
    case 'open':
      return void open(message);
    case 'run':
      return run(call, message);
    case 'cancel':
      return cancel(call);
    case 'ping':
      return pong();
    case 'close':
      return void close(message.waitMilliseconds);
  }
}

async function open(message: Extract<ToChild, { readonly type: 'open' }>): Promise<void> {
  try {
    // Loaded here, so that a missing native library is reported like any other reason not to start.
    const session = await loadSessions(message.path, message.arguments);
    const lane = (name: PoolName) => {
      const standing = mergeSettings(baseSettings, laneSettings[name]);
      const worker = (index: number) => new Worker(`${name} ${index}`, session, standing);
      return new WorkerPool(message.sessions[name], worker, message.maxWaiting);
    };
    control = new Control(new Worker('control', session));
    lanes = {
      query: lane('query'),
      export: lane('export'),
      statement: lane('statement'),
      upkeep: lane('upkeep'),
      narrowing: lane('narrowing'),
      deletion: lane('deletion'),
      removal: lane('removal'),
      moving: lane('moving'),
      insert: lane('insert'),
    };
    detachLimits = message.detach;
    frames.send(0, { type: 'opened' });
  } catch (error) {
    frames.send(0, { type: 'failed', text: error instanceof Error ? error.message : String(error) });
  }
}

function run(call: number, request: RunRequest): void {
  const lane = lanes?.[request.lane];
  if (lane === undefined || control === undefined) return reportFailure(call, 'the engine has not been opened');
  const statement = new Statement(
    request,
    {
      answer: (head, output) => {
        statements.delete(call);
        return frames.sendWith(call, head, output);
      },
      detached: () => frames.send(call, { type: 'detached' }),
      failed: (text) => reportFailure(call, text),
    },
    control,
  );
  statements.set(call, statement);
  if (!lane.add(statement)) reportFailure(call, 'Code: 202. Too many statements wait for a session');
}

function reportFailure(call: number, text: string): void {
  statements.delete(call);
  frames.send(call, { type: 'failed', text });
}

function cancel(call: number): void {
  const statement = statements.get(call);
  if (statement === undefined || lanes === undefined) return;
  if (Object.values(lanes).some((lane) => lane.remove(statement)))
    reportFailure(call, 'Code: 394. Cancelled before it began');
  else {
    void statement.cancel();
    if (statement.isDetachable) setTimeout(detachStuck, detachLimits.afterMilliseconds).unref();
  }
}

/** Replaces the sessions of canceled statements that do not stop, as many as may be detached. */
function detachStuck(): void {
  for (const statement of statements.values()) {
    if (detachedCount() >= detachLimits.max) return;
    if (!statement.isDetachable || statement.isDetached) continue;
    if (statement.cancelMilliseconds < detachLimits.afterMilliseconds) continue;
    lanes?.[statement.lane].replace(statement);
    statement.detach();
  }
}

const detachedCount = (): number => [...statements.values()].filter(({ isDetached }) => isDetached).length;

/** A detached statement blocks nothing, and a writing one may finish. */
const blockedMilliseconds = (statement: Statement): number =>
  statement.isDetachable && !statement.isDetached ? statement.cancelMilliseconds : 0;

function pong(): void {
  detachStuck();
  if (performance.now() - lastHeartbeat >= heartbeatMilliseconds) {
    lastHeartbeat = performance.now();
    control?.heartbeat();
  }
  frames.send(0, {
    type: 'pong',
    memoryBytes: process.memoryUsage.rss(),
    heartbeatMilliseconds: control?.heartbeatMilliseconds ?? 0,
    cancelMilliseconds: Math.max(0, ...[...statements.values()].map(blockedMilliseconds)),
    detached: detachedCount(),
  });
}

/**
 * Closes in order: when the time is up, running statements are canceled; sessions are closed only
 * when nothing runs on them.
 */
async function close(waitMilliseconds: number): Promise<void> {
  const idle = () => lanes === undefined || Object.values(lanes).every((lane) => lane.idle);
  const until = performance.now() + waitMilliseconds;
  while (!idle()) {
    await sleep(5);
    if (performance.now() > until) for (const call of statements.keys()) cancel(call);
  }
  for (const lane of Object.values(lanes ?? {})) lane.close();
  await control?.close();
  socket.removeAllListeners('close');
  socket.end(() => process.exit(0));
}
