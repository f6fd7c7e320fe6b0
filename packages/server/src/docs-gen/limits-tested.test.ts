import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { limitNames } from './limits-page.js';

/**
 * Every limit of docs/limits.md has a test that names it, or one in this table. A new limit without
 * a test fails here. That a test names a limit does not show that it exceeds it.
 */

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Tests that do not name their limit: a file, and a text in it. */
const tests: Readonly<Record<string, readonly [file: string, text: string]>> = {
  maxHeaderBytes: ['packages/server/src/startup/server.test.ts', "'headers without end'"],
  maxUrlBytes: ['packages/http/src/app.test.ts', "'x'.repeat(20_000)}`, 414"],
  maxJsonValues: ['packages/http/src/body/json-body.test.ts', "'more than 3 values'"],
  maxSyslogMessageBytes: ['packages/ingest/src/syslog/frame-reader.test.ts', "'a long line'"],
  gelfChunkTimeout: ['packages/ingest/src/gelf/gelf.test.ts', 'is counted: late, repeated'],
  maxGelfMessageBytes: ['packages/ingest/src/gelf/gelf.test.ts', 'malformed, too long, too much'],
  maxGelfPendingBytes: ['packages/ingest/src/gelf/gelf.test.ts', 'malformed, too long, too much'],
  failuresInARow: ['packages/events/src/json/body.test.ts', "'end the reading when there are too many'"],
  encoderBytes: ['packages/events/src/core.test.ts', "'ends at its limit"],
  treeHeight: ['packages/apl/src/syntax/limits.test.ts', "['sums'"],
  nameBytes: ['packages/ingest/src/otlp/metrics/rows.test.ts', "'has 257 bytes; at most 256"],
  subqueryTimes: ['packages/promql/src/robustness.test.ts', 'use a longer step in the subquery'],
  logqlStages: ['packages/logql/src/syntax/parse.test.ts', 'more than 100 stages and conditions'],
  logqlOverlap: ['packages/query/src/logql/loki-api.test.ts', 'more than 100 overlapping ranges'],
  tagText: ['packages/promql/src/robustness.test.ts', 'shorten the labels that are joined'],
  tagBytes: ['packages/query/src/mpl/mpl.test.ts', 'at most 1025 are stored'],
};

/** Limits whose test is not named here yet, or that have none. Remove names; add none. */
const untestedLimits: readonly string[] = [
  'answeredFailures',
  'answeredSeries',
  'blockBytes',
  'bulkActionBytes',
  'bulkActions',
  'bulkActionsOfSeveral',
  'catalogFields',
  'csvColumns',
  'historyBytesOfToken',
  'innerWeight',
  'jsonMembers',
  'maxFluentdConnections',
  'maxFollowedCharacters',
  'maxGelfConnections',
  'maxOtlpGrpcStreams',
  'mcpAnswerBytes',
  'mcpCellCharacters',
  'mcpMaxRows',
  'messagePackLevels',
  'monitorTimeout',
  'nestedDefinitions',
  'openBrackets',
  'otlpMessageBytes',
  'patternColumns',
  'queryMaxResultBytes',
  'structuredExpressions',
  'structuredFilterLevels',
  'tailMilliseconds',
  'templateCharacters',
  'templateLevels',
  'templateParts',
];

const isTest = (path: string): boolean => path.endsWith('.test.ts') && !/node_modules|\bdist\b|docs-gen/.test(path);
const sources = ['packages', 'tests'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(isTest)
    .map((path) => readFileSync(`${root}/${folder}/${path}`, 'utf8')),
);

const variable = (name: string): string => `MILLRACE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
const words = new Set(sources.flatMap((source) => source.match(/\w+/g) ?? []));
const isNamed = (name: string): boolean => words.has(name) || words.has(variable(name));

test('every limit has a test', () => {
  const missing = limitNames().filter((name) => !isNamed(name) && tests[name] === undefined);
  expect(missing.toSorted()).toEqual(untestedLimits.toSorted());
});

test.each(Object.entries(tests))('the test of %s exists', (name, [file, text]) => {
  expect(limitNames()).toContain(name);
  expect(readFileSync(`${root}/${file}`, 'utf8')).toContain(text);
});
