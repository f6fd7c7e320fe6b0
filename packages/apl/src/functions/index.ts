import type { FunctionRecord } from './define.js';

/** All functions. A family is a file in this folder that exports `functions`; it is added to the list here. */
const families: readonly (readonly FunctionRecord[])[] = [];

export const functions: readonly FunctionRecord[] = families.flat();

const byName: ReadonlyMap<string, FunctionRecord> = new Map(
  functions.flatMap((record) => [record.name, ...(record.aliases ?? [])].map((name) => [name, record] as const)),
);

/** The function of that name or alias; names are case-sensitive. */
export const functionNamed = (name: string): FunctionRecord | undefined => byName.get(name);

/** Every name that can be called, aliases included, for suggestions. */
export const functionNames = (): readonly string[] => [...byName.keys()];
