import type { Command } from '../command/command.js';
import { flagText, optionDoc, synopsis } from '../command/help.js';
import type { Options } from '../command/option.js';
import { connectionOptions } from '../connection/options.js';
import { exitCodes } from '../exit-codes.js';

/** Renders docs/cli.md from the command table. */
export function cliPage(table: readonly Command[]): string {
  return `# The command line

\`\`\`sh
${firstExamples(table).join('\n')}
\`\`\`

The command \`millrace\` works with any server that has this HTTP interface. Results go to standard output, messages to standard error. In a terminal results are tables, in a pipe NDJSON; \`NO_COLOR\` turns colors off. Secrets are shown once, when they are created.

<!-- Generated from packages/cli/src/commands/every-command.ts by \`npm run docs -w packages/cli\`. -->

## Options of commands that talk to a server

${options(connectionOptions)}

## Exit codes

| code | meaning |
|---|---|
${Object.values(exitCodes)
  .map(({ code, meaning }) => `| ${code} | ${meaning} |`)
  .join('\n')}

Other servers do not always say why they reject a request; the code is then 1 instead of 2 or 3.

${table.map(section).join('\n')}`;
}

/** The most common commands, in the order a new user needs them. */
const first = ['serve', 'console', 'dataset create', 'token create', 'ingest', 'query', 'stream', 'export', 'backup'];

/** One example of each, with its summary. */
function firstExamples(table: readonly Command[]): readonly string[] {
  const examples = first.flatMap((name) => table.find((command) => command.name === name)?.examples[0] ?? []);
  const width = Math.max(...examples.map(({ command }) => command.length));
  return examples.map(({ command, doc }) => exampleLine({ command: command.padEnd(width), doc }));
}

const exampleLine = ({ command, doc }: Command['examples'][number]): string => `${command}  # ${doc}`;

function section(command: Command): string {
  const { name, summary, description, args, raw, examples } = command;
  const argumentList = Object.entries(args).map(([arg, { doc }]) => `- \`${arg.toUpperCase()}\`: ${cell(doc)}`);
  const parts = [
    `## ${name}`,
    `\`${synopsis(command)}\``,
    [summary, description].filter((text) => text !== undefined).join(' '),
    argumentList.join('\n'),
    raw === undefined ? options(command.options) : 'The options are the settings: see [settings.md](settings.md).',
    ['```sh', ...examples.map(exampleLine), '```'].join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function options(table: Options): string {
  const rows = Object.entries(table).map(
    ([name, option]) => `| \`${cell(flagText(name, option))}\` | ${cell(optionDoc(option))} |`,
  );
  return rows.length === 0 ? '' : ['| option | |', '|---|---|', ...rows].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
