import { type CompletedCommand, type CompletedFlag, firstWords, groupsOf, memberOf } from './words.js';

/** Completion for fish: `millrace completion fish | source`. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const first = firstWords(commands).map(([word, doc]) => line('', `-fa ${quoteWord(word)} -d ${quoteWord(doc)}`));
  const members = [...groupsOf(commands)].flatMap(([group, all]) =>
    all.map((command) => line(group, `-fa ${quoteWord(memberOf(command))} -d ${quoteWord(command.doc)}`)),
  );
  const flags = commands.flatMap(({ name, flags: all }) => all.map((flag) => line(name, flagWords(flag))));
  return `function __millrace_is
  set -l words (commandline -opc)
  test "$words[2..-1]" = "$argv[1]"
  or string match -q -- "$argv[1] -*" "$words[2..-1]"
  or begin
    contains -- "$argv[1]" ${commands.map(({ name }) => quoteWord(name)).join(' ')}
    and string match -q -- "$argv[1] *" "$words[2..-1]"
  end
end
complete -c millrace -e
${[...first, ...members, ...flags].join('\n')}
`;
}

const line = (name: string, rest: string): string => `complete -c millrace -n "__millrace_is '${name}'" ${rest}`;

function flagWords({ flag, short, doc, value }: CompletedFlag): string {
  const short1 = short === undefined ? '' : `-s ${short.slice(1)} `;
  const taken =
    value === undefined
      ? ''
      : value === 'file'
        ? ' -rF'
        : value === 'text'
          ? ' -x'
          : ` -xa ${quoteWord(value.join(' '))}`;
  return `${short1}-l ${flag.slice(2)} -d ${quoteWord(doc)}${taken}`;
}

const quoteWord = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
