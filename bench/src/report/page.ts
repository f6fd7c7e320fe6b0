import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, MeasuredFigure, Results } from '../result.js';
import { median, ratios } from '../statistics.js';
import { mergeFigures, mismatch, readResults, writeResults } from '../store.js';
import { ratioChart } from './chart.js';
import { overviewTable } from './overview.js';
import { sectionsOf } from './sections.js';
import { besideTable, figureTable, goalsTable, judge, markdown, profileTable, formatShort } from './figures-table.js';

/**
 * The published results: `results.json`, and the page and the charts that are generated from it.
 */

const resultsFile = (lab: string): string => join(lab, 'performance', 'results.json');

/** Why results of this size and machine cannot be added to the page; undefined if they can. */
export function findMismatch(lab: string, results: Omit<Results, 'figures'>): string | undefined {
  const published = readResults(resultsFile(lab));
  return published === undefined ? undefined : mismatch(published, results);
}

export interface PublishOptions {
  /** Names of suites, in the order of their sections. */
  readonly sections: readonly string[];
  /** Whether everything on the page is replaced, instead of only the repeated measurements. */
  readonly replace: boolean;
}

/**
 * Adds results to `performance/results.json`, and generates the charts and `performance/results.md`
 * from it.
 * @throws Error when the page has results of another size or machine, unless they are replaced
 */
export function publish(results: Results, lab: string, { sections, replace }: PublishOptions): void {
  const problem = replace ? undefined : findMismatch(lab, results);
  if (problem !== undefined) throw new Error(`the page was left as it is: ${problem}`);
  const earlier = replace ? [] : (readResults(resultsFile(lab))?.figures ?? []);
  const all: Results = { ...results, figures: mergeFigures(earlier, results.figures) };
  const directory = join(lab, 'performance');
  mkdirSync(directory, { recursive: true });
  const page = pageOf(all, sections, (name, chart) => writeFileSync(join(directory, name), chart));
  writeFileSync(join(directory, 'results.md'), page);
  writeResults(resultsFile(lab), all);
}

function pageOf(
  { machine, size, versions, figures }: Results,
  order: readonly string[],
  writeChart: (name: string, svg: string) => void,
): string {
  const { processor, cores, memoryGiB, system, node } = machine;
  const { engine, duckdb } = versions ?? {};
  const yardsticks = [
    ...(engine === undefined ? [] : [`ClickHouse ${engine}`]),
    ...(duckdb === undefined ? [] : [`DuckDB ${duckdb}`]),
  ];
  const software = [`Node ${node}`, ...yardsticks].join(', ');
  const sections = sectionsOf(figures, order);
  const parts = sections.map(([suite, list]) => {
    const chart = chartOf(suite, list);
    const name = `${suite.replaceAll(/[^a-z0-9]+/gi, '-')}.svg`;
    if (chart !== undefined) writeChart(name, chart);
    return [
      `## ${suite}`,
      `Measured ${datesOf(list)}.`,
      chart === undefined ? '' : `![${suite}](${name})`,
      figureTable(list, markdown),
      besideTable(list, markdown),
      profileTable(list, markdown),
    ]
      .filter(Boolean)
      .join('\n\n');
  });
  const overview = overviewTable(sections, markdown);
  const judged = figures.flatMap(judge);
  return [
    '<!-- Written by `npm run bench -- --publish`, from results.json. -->',
    '# Results',
    `Sizes \`${size}\`, on ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, ${software}. [Performance](../performance.md) says how each figure was
measured and what it means. \`results.json\` has the value of every run.`,
    `A figure is the median of its runs; ± is half the width of the middle half of them, as a share of the median. In parentheses is the ratio of ours to the
yardstick's, the median of the runs' ratios.`,
    ...(overview === '' ? [] : ['## overview', overviewText, overview]),
    '## goals',
    `${judged.filter(({ met }) => met).length} of ${judged.length} are met.`,
    goalsTable(
      sections.flatMap(([, list]) => list),
      markdown,
    ),
    ...parts,
    '',
  ]
    .filter((part, i, all) => part !== '' || i === all.length - 1)
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const overviewText = `The ratios of all figures of a suite to a yardstick. Above 1 ours is better where more is better, as with rates; below 1 where less is, as with times,
bytes and CPU.`;

/**
 * The day of the figures, or the first and last day, because parts can be measured again without
 * the rest.
 */
function datesOf(figures: readonly MeasuredFigure[]): string {
  const days = [...new Set(figures.map(({ date }) => date.slice(0, 10)))].toSorted();
  return days.length === 1 ? days.join('') : `${days[0]} to ${days.at(-1)}`;
}

/**
 * Chart of the ratios in the tables. A metric that is compared with itself, the first of each
 * growth series, has no ratio.
 */
function chartOf(suite: string, figures: readonly Figure[]): string | undefined {
  const groups = figures.map(({ name, better, ours, against }) => ({
    label: name.length > 46 ? `${name.slice(0, 45)}…` : name,
    bars: against
      .map(({ name, runs }) => ({ system: name, ratio: median(ratios(ours, runs)), runs }))
      .filter(({ ratio, runs }) => Number.isFinite(ratio) && ratio > 0 && runs.join() !== ours.join())
      .map(({ system, ratio }) => ({
        system,
        advantage: better === 'higher' ? ratio : 1 / ratio,
        text: `×${formatShort(ratio)}`,
      })),
  }));
  const shown = groups.filter(({ bars }) => bars.length > 0);
  return shown.length === 0 ? undefined : ratioChart(suite, shown);
}
