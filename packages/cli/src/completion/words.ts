import type { Command } from '../command/command.js';
import { flagOf, type OptionRecord } from '../command/option.js';
import { optionsOf } from '../command/parse.js';

/** What a shell needs to complete a command line, from the command table. */

export interface CompletedFlag {
  readonly flag: string;
  readonly short?: string;
  readonly doc: string;
  /** Undefined for a switch. */
  readonly value?: 'file' | 'text' | readonly string[];
}

export interface CompletedCommand {
  /** `query`, `dataset create` */
  readonly name: string;
  readonly doc: string;
  readonly flags: readonly CompletedFlag[];
}

/** Kinds of values that name a file. */
const files: ReadonlySet<string> = new Set(['FILE', 'DIR']);

export async function completedCommands(table: readonly Command[]): Promise<readonly CompletedCommand[]> {
  return Promise.all(
    table.map(async (command) => {
      const listed = (await command.raw?.listed()) ?? [];
      return {
        name: command.name,
        doc: command.summary.replace(/\.$/, ''),
        flags: [
          ...listed.map(([text, doc]) => settingFlag(text, doc)),
          ...Object.entries(optionsOf(command)).map(([name, option]) => completedFlag(name, option)),
        ],
      };
    }),
  );
}

function completedFlag(name: string, option: OptionRecord): CompletedFlag {
  const { short } = option;
  const flag = {
    flag: flagOf(name),
    doc: firstSentence(option.doc),
    ...(short !== undefined && { short: `-${short}` }),
  };
  if (option.type === 'flag') return flag;
  if (option.type === 'choice') return { ...flag, value: option.choices };
  return { ...flag, value: 'metavar' in option && files.has(option.metavar) ? 'file' : 'text' };
}

/** A setting as `--host TEXT`, `--log-level trace|debug` or `--console`. */
function settingFlag(text: string, doc: string): CompletedFlag {
  const [flag = '', value] = text.split(' ');
  const record = { flag, doc: firstSentence(doc) };
  if (value === undefined) return record;
  if (value.includes('|')) return { ...record, value: value.split('|') };
  return { ...record, value: /-(dir|file|cert|key)$/.test(flag) ? 'file' : 'text' };
}

const firstSentence = (doc: string): string => (/^.*?[.;:](?=\s|$)/.exec(doc)?.[0] ?? doc).replace(/[.;:]$/, '');

/** Groups of commands with their members: `dataset` has `dataset create`. */
export function groupsOf(commands: readonly CompletedCommand[]): ReadonlyMap<string, readonly CompletedCommand[]> {
  const groups = new Map<string, CompletedCommand[]>();
  for (const command of commands) {
    const [group = '', member] = command.name.split(' ');
    if (member !== undefined) groups.set(group, [...(groups.get(group) ?? []), command]);
  }
  return groups;
}

/** Member of a group: `create` of `dataset create`. */
export const memberOf = ({ name }: CompletedCommand): string => name.split(' ')[1] ?? '';

/** First words: commands and groups, with what they do. */
export function firstWords(commands: readonly CompletedCommand[]): readonly (readonly [word: string, doc: string])[] {
  const words = new Map<string, string>();
  for (const { name, doc } of commands) {
    const [word = '', member] = name.split(' ');
    if (!words.has(word)) words.set(word, member === undefined ? doc : `Commands for ${word}s`);
  }
  return [...words];
}
