import type { WriteMonitor } from '@millrace/client';
import type { Exit } from '../../exit-codes.js';
import type { Io } from '../../io.js';
import { pluralize } from '../../render/quantity.js';
import { withTemporaryServer } from '../../serving/temporary-server.js';
import { casesIn } from './cases.js';
import { writtenMonitorIn } from './file.js';
import { type CaseResult, runCases } from './run-cases.js';

/**
 * Tests a monitor file against cases, on a temporary server.
 * @returns `failed` if a case has other openings than expected
 */
export async function testCases(file: string, casesFile: string, json: boolean, io: Io): Promise<Exit> {
  const monitor = aloneOf(await writtenMonitorIn(file, io));
  const suite = await casesIn(casesFile, io);
  const results: CaseResult[] = [];
  await withTemporaryServer(async (client) => {
    for await (const result of runCases(monitor, suite, client)) {
      results.push(result);
      await io.out.write(json ? `${JSON.stringify(result)}\n` : textOfResult(result));
    }
  });
  const failed = results.filter(({ passed }) => !passed).length;
  if (!json)
    await io.err.write(
      failed === 0
        ? `${pluralize(results.length, 'case')} passed.\n`
        : `${failed} of ${results.length} cases failed.\n`,
    );
  return failed === 0 ? 'done' : 'failed';
}

/** What it refers to does not exist here, and decides only who is notified. */
function aloneOf(monitor: WriteMonitor): WriteMonitor {
  const { notifierIds: _, inhibitedBy: _by, notifyOnlyWhile: _while, disabled: _off, ...alone } = monitor;
  return alone;
}

const textOfResult = ({ name, passed, runs, missing, unexpected, problem }: CaseResult): string =>
  [
    `${passed ? 'passed' : 'FAILED'}  ${name} (${pluralize(runs, 'run')})`,
    ...(problem === undefined ? [] : [`        ${problem}`]),
    ...missing.map((text) => `        missing: ${text}`),
    ...unexpected.map((text) => `        not expected: ${text}`),
    '',
  ].join('\n');
