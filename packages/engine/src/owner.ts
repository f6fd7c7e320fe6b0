import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from './errors.js';

/**
 * The processes that work in a directory. chDB itself rejects a second process (it holds a lock),
 * but a process that hangs holds the lock too, and its parent, which would have killed it, may be
 * dead. So the parent records both, and the next parent kills the rest.
 */
interface Owner {
  readonly engine: ProcessName;
  readonly parent: ProcessName;
}

/**
 * Process ids are reused. Together with the machine's boot id and the start time since that boot,
 * an id names one process.
 */
interface ProcessName {
  readonly pid: number;
  readonly started: string;
}

const fileName = 'owner.json';
const gonePatienceMilliseconds = 10_000;
const pollMilliseconds = 10;

/**
 * Makes sure that no engine is left running in the directory.
 * @throws EngineError `unavailable` if another living server uses it, or if a left-over engine
 * cannot be killed
 */
export async function claimDirectory(directory: string): Promise<void> {
  const owner = await readOwner(directory);
  if (owner === undefined || !alive(owner.engine)) return;
  if (alive(owner.parent)) {
    throw new EngineError(
      'unavailable',
      `${directory} is in use by the engine process ${owner.engine.pid} of process ${owner.parent.pid}`,
    );
  }
  // SIGKILL loses nothing: everything the engine acknowledged is fsynced.
  killIfThere(owner.engine.pid);
  const until = performance.now() + gonePatienceMilliseconds;
  while (alive(owner.engine)) {
    if (performance.now() > until)
      throw new EngineError('unavailable', `the left-over engine process ${owner.engine.pid} does not end`);
    await sleep(pollMilliseconds);
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new EngineError('unavailable', `the left-over engine process ${pid} cannot be killed: ${String(error)}`);
  }
}

/** Records that this process's child works in the directory. Called before the child opens it. */
export function recordOwner(directory: string, enginePid: number): void {
  const owner: Owner = { engine: nameOf(enginePid), parent: nameOf(process.pid) };
  writeFileSync(join(directory, fileName), JSON.stringify(owner));
}

async function readOwner(directory: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, fileName), 'utf8')) as Owner;
  } catch {
    // Missing, or torn by a power failure, which no engine process survives either.
    return undefined;
  }
}

function nameOf(pid: number): ProcessName {
  return { pid, started: stateOf(pid)?.started ?? '' };
}

function alive(name: ProcessName): boolean {
  const state = stateOf(name.pid);
  return state !== undefined && !state.ended && state.started === name.started;
}

/**
 * Field 3 is the state, field 22 the start time; the command name before them may contain spaces
 * and parentheses. Without /proc the recorded process cannot be distinguished from another one with
 * its ID, which must not be killed; then only chDB's lock protects the directory.
 */
function stateOf(pid: number): { readonly ended: boolean; readonly started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { ended: fields[0] === 'Z' || fields[0] === 'X', started: `${runOfMachine()} ${fields[19]}` };
  } catch {
    return undefined;
  }
}

/**
 * The boot id; empty in a sandbox that has processes under /proc but not this file, where the start
 * time has to suffice.
 */
function runOfMachine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
