import { readFileSync } from 'node:fs';
import { cpuSeconds, familyOf } from '../../../bench/src/process-figures.ts';

/** Patterns for the command lines of each kind of process. */
const kinds: Readonly<Record<string, RegExp>> = {
  Millrace: /^millrace |cli\/dist\/main\.js/,
  'embedded engine': /engine\/dist\/child/,
  'ClickHouse replica': /\/replica-\w+ /,
  'ClickHouse server': /clickhouse-process/,
  Keeper: /^\S*java /,
  PostgreSQL: /postgres/,
};

/** The processes below this one, of each kind. */
export function processesByKind(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const pid of familyOf(process.pid)) {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const kind = Object.keys(kinds).find((name) => kinds[name]!.test(command));
    if (kind !== undefined) found.set(kind, [...(found.get(kind) ?? []), pid]);
  }
  return found;
}

/** CPU seconds per kind of process during some work. */
export async function processorTimeOf(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const before = usedSeconds();
  await work();
  return new Map([...usedSeconds()].map(([kind, seconds]) => [kind, seconds - (before.get(kind) ?? 0)]));
}

const usedSeconds = (): ReadonlyMap<string, number> =>
  new Map([...processesByKind()].map(([kind, pids]) => [kind, pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)]));
