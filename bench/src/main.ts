import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from './machine.js';
import { publish } from './report/page.js';
import { figureLine } from './report/table.js';
import type { Figure, Results } from './result.js';
import { runSuites } from './run.js';
import { type SizeName, sizes } from './sizes.js';
import { suites } from './suites/index.js';

/** `npm run bench`: measures, prints a line a figure, writes all of them as JSON. */

const root = join(import.meta.dirname, '..');
const resultsFile = join(root, 'results', 'latest.json');

const usage = `npm run bench -- [--full | --tiny] [--only NAME]… [--publish] [--publish-only]

  --full           the sizes of docs/performance.md: an hour or two, 100 GB of disk
  --tiny           seconds: shows that everything runs
  --only NAME      one suite: ${Object.keys(suites).join(', ')}
  --publish        writes the page and the charts in docs/performance from the results
  --publish-only   the same without measuring again`;

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    tiny: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    publish: { type: 'boolean', default: false },
    'publish-only': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const unknown = values.only.filter((name) => !Object.hasOwn(suites, name));
if (values.help || unknown.length > 0) {
  console.log(unknown.length > 0 ? `no suite ${unknown.join(', ')}\n\n${usage}` : usage);
  process.exit(unknown.length > 0 ? 1 : 0);
}

const read = (): Results => JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;

async function measure(): Promise<Results> {
  const size: SizeName = values.full ? 'full' : values.tiny ? 'tiny' : 'quick';
  const figures: Figure[] = [];
  const results = (): Results => ({ machine: machine(), size, date: new Date().toISOString(), figures });
  mkdirSync(join(root, 'results'), { recursive: true });
  await runSuites({
    sizes: sizes[size],
    only: values.only,
    dataDirectory: join(root, '.data'),
    say: (what) => process.stderr.isTTY && process.stderr.write(`\r\u001B[K${what}`),
    report: (figure) => {
      figures.push(figure);
      process.stderr.write(process.stderr.isTTY ? '\r\u001B[K' : '');
      console.log(figureLine(figure));
      // After each figure: a run that is stopped leaves what it has.
      writeFileSync(resultsFile, `${JSON.stringify(results(), undefined, 1)}\n`);
    },
  });
  return results();
}

const results = values['publish-only'] ? read() : await measure();
if (values.publish || values['publish-only']) publish(results, join(root, '..', 'docs'));
