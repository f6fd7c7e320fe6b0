import { type CompletedCommand, type CompletedFlag, firstWords, groupsOf, memberOf } from './words.js';

/** Completion for zsh: `source <(millrace completion zsh)`, or a file `_millrace` in `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands);
  const members = [...groups].map(
    ([group, all]) =>
      `      ${group}) words=(${describeWords(all.map((command) => [memberOf(command), command.doc]))}) ;;`,
  );
  const flags = commands.map(
    ({ name, flags: all }) => `    '${name}') _arguments ${all.flatMap(specs).join(' ')} '*:file:_files' ;;`,
  );
  return `#compdef millrace
_millrace() {
  local name=\${words[2]}
  local -a found
  if ((CURRENT == 2)); then
    found=(${describeWords(firstWords(commands))})
    _describe command found
    return
  fi
  if [[ $name == (${[...groups.keys()].join('|')}) ]]; then
    if ((CURRENT == 3)); then
      case $name in
${members.map((line) => line.replace('words=', 'found=')).join('\n')}
      esac
      _describe command found
      return
    fi
    name="$name \${words[3]}"
    shift words
    ((CURRENT--))
  fi
  shift words
  ((CURRENT--))
  case $name in
${flags.join('\n')}
  esac
}
if [[ $funcstack[1] == _millrace ]]; then
  _millrace "$@"
else
  compdef _millrace millrace
fi
`;
}

const describeWords = (pairs: readonly (readonly [word: string, doc: string])[]): string =>
  pairs.map(([word, doc]) => quoteWord(`${word}:${doc}`)).join(' ');

/** Arguments of `_arguments`: `'--format[Format]:value:(csv json)'`. */
const specs = ({ flag, short, doc, value }: CompletedFlag): readonly string[] =>
  [flag, ...(short === undefined ? [] : [short])].map((each) => {
    const text = doc.replaceAll(/[[\]\\:]/g, (sign) => `\\${sign}`);
    const action =
      value === undefined
        ? ''
        : value === 'file'
          ? ':file:_files'
          : value === 'text'
            ? ':value: '
            : `:value:(${value.join(' ')})`;
    return quoteWord(`*${each}[${text}]${action}`);
  });

const quoteWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
