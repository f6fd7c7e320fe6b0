import { flagOf, variableOf } from '@millrace/http/settings/settings';
import { settingsTable } from '@millrace/http/settings/settings-table';
import { booleanTexts, type SettingRecord } from '@millrace/http/settings/setting-types';
import { durationText, sizeText } from '@millrace/http/settings/setting-units';

/** Renders docs/settings.md from the table of settings. */
export function settingsPage(): string {
  const sections = Object.entries(settingsTable).map(([name, record]) => section(name, record));
  return `# Settings

Each setting is a flag of \`millrace serve\` and an environment variable; the flag wins. Sizes are bytes or values such as \`512KiB\` and \`64MB\`,
durations milliseconds or values such as \`500ms\`, \`30s\`, \`5m\` and \`1h\`. An invalid value stops startup with a message about the expected one.

Common settings:

${maxSet.map((name) => `- [\`${variableOf(name)}\`](#${variableOf(name).toLowerCase()}), ${defaultText(settingsTable[name])} by default: ${firstSentence(settingsTable[name].doc)}`).join('\n')}

<!-- Generated from packages/http/src/settings by \`npm run docs -w packages/server\`. -->

${sections.join('\n')}`;
}

const maxSet = [
  'dataDir',
  'host',
  'port',
  'tlsCert',
  'trustedProxies',
  'adminToken',
  'autoCreateDatasets',
  'engineMemoryBytes',
  'maxLogBytes',
  'logLevel',
] as const satisfies readonly (keyof typeof settingsTable)[];

const firstSentence = (text: string): string => /^[^]*?\.(?= |$)/.exec(text)?.[0] ?? text;

function section(name: string, record: SettingRecord): string {
  return `## ${variableOf(name)}

\`${flagOf(name)}\` · ${typeText(record)} · default ${defaultText(record)}

${record.doc} ${record.reason}
`;
}

const oneOf = (texts: readonly string[]): string => `one of ${texts.map((text) => `\`${text}\``).join(', ')}`;

function typeText(record: SettingRecord): string {
  switch (record.type) {
    case 'choice':
      return oneOf(record.choices);
    case 'integer':
      return `whole number, ${record.min} to ${record.max}`;
    case 'bytes':
      return `size, ${sizeText(record.min)} to ${sizeText(record.max)}`;
    case 'duration':
      return `duration, ${durationText(record.min)} to ${durationText(record.max)}`;
    case 'boolean':
      return oneOf(booleanTexts);
    case 'list':
      return 'list, separated by commas';
    case 'text':
      return record.secret === true ? 'text, secret' : 'text';
  }
}

function defaultText(record: SettingRecord): string {
  switch (record.type) {
    case 'bytes':
      return record.memoryShare === undefined
        ? sizeText(record.default)
        : `${sizeText(record.default)}, at most ${record.memoryShare * 100}% of the memory`;
    case 'duration':
      return durationText(record.default);
    case 'list':
      return record.default.length === 0 ? 'none' : `\`${record.default.join(',')}\``;
    case 'text':
      return record.default === undefined ? 'none' : `\`${record.default}\``;
    case 'choice':
    case 'integer':
    case 'boolean':
      return `\`${record.default}\``;
  }
}
