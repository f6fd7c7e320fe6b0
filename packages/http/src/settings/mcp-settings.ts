import type { SettingRecord } from './setting-types.js';
import { KiB, second } from './setting-units.js';

/** The MCP server, for agents. */
export const mcpSettings = {
  mcp: {
    type: 'boolean',
    default: true,
    doc: 'Serve MCP at `/mcp`: agents read logs, traces, monitors and dashboards with the rights of their token.',
    reason: 'Agents can do no more than their token, and nothing is sent elsewhere.',
  },
  mcpQueryTimeout: {
    type: 'duration',
    default: 20 * second,
    min: 100,
    max: 60 * second,
    doc: 'Timeout of a query that an agent runs. Exceeding it is an error that says what to narrow.',
    reason: 'MCP clients give up after 60 seconds and show the agent no reason.',
  },
  mcpMaxRows: {
    type: 'integer',
    default: 500,
    min: 10,
    max: 10_000,
    doc: 'Maximum rows of one response to an agent. Further rows are left out, and the response says so.',
    reason: 'More rows than fit into a context window help no agent.',
  },
  mcpAnswerBytes: {
    type: 'bytes',
    default: 40 * KiB,
    min: 4 * KiB,
    max: 1024 * KiB,
    doc: 'Maximum size of the rows of one response to an agent. Further rows are left out, and the response says so.',
    reason: 'About 10,000 tokens. Some clients reject responses of more than 25,000 tokens.',
  },
  mcpCellCharacters: {
    type: 'integer',
    default: 500,
    min: 50,
    max: 65_536,
    doc: 'Maximum length of a value in a response to an agent. Longer values are cut and marked, unless the result has one row.',
    reason: 'Stack traces and bodies would leave no room for other rows.',
  },
} as const satisfies Record<string, SettingRecord>;
