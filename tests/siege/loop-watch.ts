import { appendFileSync, openSync, readSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { isMainThread, threadId, Worker, workerData } from 'node:worker_threads';
import { maxStalled, type Stall } from './stalls.js';

/**
 * Loaded into the server by the siege: records each time its main thread was busy for too long, and
 * where. Uses CPU time of the thread: on a busy machine a thread also waits for a CPU, which no
 * request causes. Also ends the server with the siege.
 */

const file = process.env['SIEGE_STALLS'];
/** Interval of the heartbeat that measures busy periods. */
const beatMilliseconds = 5;
const besieger = process.ppid;
const maxFrames = 6;

/** Number of heartbeats, and the thread's CPU time at the last. */
interface Pulse {
  readonly beats: Int32Array;
  readonly milliseconds: Float64Array;
}

/** How long the main thread has been on a processor, in milliseconds. */
function mainThreadClock(): () => number {
  const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(64);
  return () => Number.parseInt(buffer.toString('latin1', 0, readSync(schedule, buffer, 0, 64, 0)), 10) / 1e6;
}

function beat({ beats, milliseconds }: Pulse): void {
  const clock = mainThreadClock();
  let wall = performance.now();
  milliseconds[0] = clock();
  setInterval(() => {
    const [now, used] = [performance.now(), clock()];
    const stall: Stall = { beat: beats[0]!, milliseconds: used - milliseconds[0]!, wall: now - wall, frames: [] };
    wall = now;
    milliseconds[0] = used;
    Atomics.add(beats, 0, 1);
    if (stall.milliseconds > maxStalled) note(stall);
  }, beatMilliseconds).unref();
}

/**
 * Watches the main thread from another one, and pauses it when it has been busy for too long, to
 * record its stack.
 */
function look({ beats, milliseconds }: Pulse): void {
  const clock = mainThreadClock();
  const session = new Session();
  session.connectToMainThread();
  const files = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => files.set(scriptId, url));
  const frameText = ({ functionName, location }: Debugger.CallFrame): string =>
    `${functionName || '(anonymous)'} ${(files.get(location.scriptId) ?? '').replace(/^.*\/(packages|node_modules)\//, '')}:${location.lineNumber + 1}`;
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    session.post('Debugger.resume');
    note({
      beat: beats[0]!,
      milliseconds: clock() - milliseconds[0]!,
      wall: 0,
      frames: callFrames.slice(0, maxFrames).map(frameText),
    });
  });
  session.post('Debugger.enable');
  let [seen, next] = [-1, maxStalled];
  setInterval(() => {
    // The siege was killed, and cannot stop this server any more.
    if (process.ppid !== besieger) process.kill(process.pid, 'SIGKILL');
    if (beats[0] !== seen) [seen, next] = [beats[0]!, maxStalled];
    if (clock() - milliseconds[0]! < next) return;
    next *= 4;
    session.post('Debugger.pause');
  }, 10);
}

const note = (stall: Stall): void => appendFileSync(file!, `${JSON.stringify(stall)}\n`);

if (file !== undefined && process.argv[2] === 'serve' && isMainThread) {
  const pulse: Pulse = {
    beats: new Int32Array(new SharedArrayBuffer(4)),
    milliseconds: new Float64Array(new SharedArrayBuffer(8)),
  };
  beat(pulse);
  new Worker(new URL(import.meta.url), { workerData: { pulse }, stdout: true, stderr: true }).unref();
} else if (threadId > 0 && (workerData as { readonly pulse?: Pulse } | null)?.pulse !== undefined) {
  look((workerData as { readonly pulse: Pulse }).pulse);
}
