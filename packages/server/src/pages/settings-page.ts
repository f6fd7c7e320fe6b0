import { flagOf, variableOf } from '../settings/settings.js';
import { settingsTable } from '../settings/settings-table.js';
import { booleanTexts, type SettingRecord } from '../settings/setting-types.js';
import { durationText, sizeText } from '../settings/setting-units.js';

/** docs/settings.md, from the table of settings. */
export function settingsPage(): string {
  const sections = Object.entries(settingsTable).map(([name, record]) => section(name, record));
  return `# Settings

Each setting is a flag of \`millrace serve\` and an environment variable; the flag wins. Sizes are bytes and may be written \`512KiB\` or \`64MB\`,
durations are milliseconds and may be written \`500ms\`, \`30s\`, \`5m\` or \`1h\`. A wrong value stops the start and says what was expected.

Those that most servers set:

${mostSet.map((name) => `- [\`${variableOf(name)}\`](#${variableOf(name).toLowerCase()}), ${defaultText(settingsTable[name])} by default: ${firstSentence(settingsTable[name].doc)}`).join('\n')}

This page is written from \`packages/server/src/settings/settings-table.ts\` by \`npm run docs -w packages/server\`.

${sections.join('\n')}`;
}

const mostSet = [
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
      return sizeText(record.default);
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
