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
  answeredFailures: ['packages/ingest/src/malicious-input.test.ts', 'more failures than can be answered'],
  bulkActions: ['packages/ingest/src/malicious-input.test.ts', 'more than a million actions'],
  bulkActionsOfSeveral: ['packages/ingest/src/malicious-input.test.ts', 'more than a hundred thousand actions'],
  bulkActionBytes: ['packages/ingest/src/malicious-input.test.ts', 'an action that is longer than any index name'],
  otlpMessageBytes: ['packages/ingest/src/otlp/large-requests.test.ts', 'a record of more than 8 MiB is refused'],
  openBrackets: ['packages/events/src/json/body.test.ts', "'['.repeat(MAX_OPEN + 1)"],
  blockBytes: ['packages/events/src/blocks/finish.test.ts', 'a block is not made where'],
  csvColumns: ['packages/events/src/csv/header.test.ts', 'has a limited number of columns'],
  jsonMembers: ['packages/server/src/routes/datasets.test.ts', 'more than 10000 members'],
  structuredExpressions: [
    'packages/query/src/structured/structured-query.test.ts',
    'must have at most 16384 characters together',
  ],
  historyBytesOfToken: ['packages/query/src/history.test.ts', 'long queries are kept while there is room'],
  innerWeight: ['packages/apl/src/bind/steps.test.ts', 'queries inside one another'],
  patternColumns: ['packages/apl/src/operators/cases/evaluate.cases', 'autocluster combines 8 columns at most'],
  templateCharacters: ['packages/alerts/src/templates/templates.test.ts', 'it makes more than 1000000 characters'],
  templateLevels: ['packages/alerts/src/templates/templates.test.ts', 'nested deeper than 100 levels'],
  templateParts: ['packages/alerts/src/templates/templates.test.ts', 'more than 1000 parts'],
};

/** Limits whose test is not named here yet, or that have none. Remove names; add none. */
const untestedLimits: readonly string[] = ['catalogFields', 'monitorTimeout', 'tailMilliseconds'];

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
