import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, Results } from '../result.js';
import { median } from '../statistics.js';
import { barChart } from './chart.js';
import { besideTable, figureTable, judge, markdown, short } from './table.js';

/** The page about performance: its text is written by hand, what is between the marks is written from the results. */

const begin = '<!-- results: written by `npm run bench -- --publish` -->';
const end = '<!-- end of results -->';

/** Writes `performance/results.json`, a chart a suite, and the results in `performance.md`. */
export function publish(results: Results, docs: string): void {
  const folder = join(docs, 'performance');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, undefined, 1)}\n`);
  const page = join(docs, 'performance.md');
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for results: ${begin}`);
  const written = resultsText(results, (name, chart) => writeFileSync(join(folder, name), chart));
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${written}\n${text.slice(to)}`);
}

function resultsText(
  { machine, size, date, figures }: Results,
  writeChart: (name: string, svg: string) => void,
): string {
  const { processor, cores, memoryGiB, system, node } = machine;
  const suites = new Map<string, Figure[]>();
  for (const figure of figures) suites.set(figure.suite, [...(suites.get(figure.suite) ?? []), figure]);
  const parts = [...suites].map(([suite, list]) => {
    const name = `${suite.replaceAll(/[^a-z0-9]+/gi, '-')}.svg`;
    writeChart(name, chartOf(suite, list));
    return [`### ${suite}`, `![${suite}](performance/${name})`, figureTable(list), besideTable(list)]
      .filter(Boolean)
      .join('\n\n');
  });
  return [
    `Measured ${date.slice(0, 10)}, sizes \`${size}\`, on ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}.`,
    '### Goals',
    goalsTable(figures),
    ...parts,
    '',
  ].join('\n\n');
}

function goalsTable(figures: readonly Figure[]): string {
  const rows = figures.flatMap((figure) => {
    const judged = judge(figure);
    if (judged === undefined) return [];
    return [
      [`${figure.suite}: ${figure.name}`, judged.goal, `×${short(judged.ratio)}`, judged.met ? 'met' : '**missed**'],
    ];
  });
  return markdown(['', 'goal', 'measured', ''], rows);
}

/** Every bar is a multiple of ours, so that figures of all sizes stand in one chart. */
function chartOf(suite: string, figures: readonly Figure[]): string {
  const groups = figures.map(({ name, ours, against }) => ({
    label: name.length > 46 ? `${name.slice(0, 45)}…` : name,
    bars: [
      { system: 'Millrace', value: 1 },
      ...against
        .filter(({ runs }) => runs.length > 0)
        .map(({ name, runs }) => ({ system: name, value: median(runs) / median(ours) })),
    ],
  }));
  const better = figures[0]?.better === 'lower' ? 'shorter is better' : 'longer is better';
  return barChart(`${suite}: multiples of Millrace, ${better}`, groups, (value) => `×${short(value)}`);
}
