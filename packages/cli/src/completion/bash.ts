import { type CompletedCommand, firstWords, groupsOf, memberOf } from './words.js';

/** Completion for bash 3.2 and later: `source <(millrace completion bash)`. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands);
  const members = [...groups].map(([group, all]) => choice(group, all.map(memberOf)));
  const values = commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ flag, short, value }) => {
      if (value === undefined) return [];
      const typed = [flag, ...(short === undefined ? [] : [short])].map((each) => `'${name} ${each}'`).join('|');
      if (value === 'text') return [`    ${typed}) return ;;`];
      if (value === 'file') return [`    ${typed}) COMPREPLY=($(compgen -f -- "$current")); return ;;`];
      return [`    ${typed}) ${reply(value)}; return ;;`];
    }),
  );
  const flags = commands.map(({ name, flags: all }) =>
    choice(
      name,
      all.map(({ flag }) => flag),
    ),
  );
  return `_millrace() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} name=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    ${reply(firstWords(commands).map(([word]) => word))}
    return
  fi
  case $name in
    ${[...groups.keys()].join('|')})
      if ((COMP_CWORD == 2)); then
        case $name in
${indent(members, 6)}
        esac
        return
      fi
      name="$name \${COMP_WORDS[2]}" ;;
  esac
  case "$name $previous" in
${values.join('\n')}
  esac
  if [[ $current == -* ]]; then
    case $name in
${indent(flags, 2)}
    esac
  fi
}
complete -o default -F _millrace millrace
`;
}

const reply = (words: readonly string[]): string => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$current"))`;
const choice = (name: string, words: readonly string[]): string => `    '${name}') ${reply(words)} ;;`;
const indent = (lines: readonly string[], by: number): string => lines.map((line) => ' '.repeat(by) + line).join('\n');
