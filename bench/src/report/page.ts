import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, Measured, Results } from '../result.js';
import { median } from '../statistics.js';
import { merged, mismatch, readResults, writeResults } from '../store.js';
import { barChart } from './chart.js';
import { besideTable, figureTable, judge, markdown, profileTable, short } from './table.js';

/** The page about performance: its text is written by hand, the part between the marks is generated from the results. */

const begin = '<!-- results: written by `npm run bench -- --publish` -->';
const end = '<!-- end of results -->';

const resultsFile = (docs: string): string => join(docs, 'performance', 'results.json');

/** Why results of this size and machine cannot be added to the page; undefined if they can. */
export function unpublishable(docs: string, results: Omit<Results, 'figures'>): string | undefined {
  const published = readResults(resultsFile(docs));
  return published === undefined ? undefined : mismatch(published, results);
}

export interface Publishing {
  /** Names of suites, in the order of their sections. */
  readonly sections: readonly string[];
  /** Whether everything on the page is replaced, instead of only what was measured again. */
  readonly replace: boolean;
}

/**
 * Adds results to `performance/results.json`, and generates the charts and the results in `performance.md` from it.
 * @throws Error when the page has results of another size or machine, unless they are replaced
 */
export function publish(results: Results, docs: string, { sections, replace }: Publishing): void {
  const problem = replace ? undefined : unpublishable(docs, results);
  if (problem !== undefined) throw new Error(`the page was left as it is: ${problem}`);
  const earlier = replace ? [] : (readResults(resultsFile(docs))?.figures ?? []);
  const all: Results = { ...results, figures: merged(earlier, results.figures) };
  const page = join(docs, 'performance.md');
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for results: ${begin}`);
  mkdirSync(join(docs, 'performance'), { recursive: true });
  const written = resultsText(all, sections, (name, chart) => writeFileSync(join(docs, 'performance', name), chart));
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${written}\n${text.slice(to)}`);
  writeResults(resultsFile(docs), all);
}

function resultsText(
  { machine, size, figures }: Results,
  sections: readonly string[],
  writeChart: (name: string, svg: string) => void,
): string {
  const { processor, cores, memoryGiB, system, node } = machine;
  const suites = new Map<string, Measured[]>();
  for (const figure of figures) suites.set(figure.suite, [...(suites.get(figure.suite) ?? []), figure]);
  const bySuite = [...suites].toSorted(([a], [b]) => placeOf(a, sections) - placeOf(b, sections));
  const parts = bySuite.map(([suite, list]) => {
    const name = `${suite.replaceAll(/[^a-z0-9]+/gi, '-')}.svg`;
    writeChart(name, chartOf(suite, list));
    return [
      `### ${suite}`,
      `Measured ${datesOf(list)}.`,
      `![${suite}](performance/${name})`,
      figureTable(list),
      besideTable(list),
      profileTable(list),
    ]
      .filter(Boolean)
      .join('\n\n');
  });
  return [
    `Sizes \`${size}\`, on ${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}.`,
    '### Goals',
    goalsTable(bySuite.flatMap(([, list]) => list)),
    ...parts,
    '',
  ].join('\n\n');
}

/** The place of a suite's section: `query, 1,000,000 events` belongs where `query` does. */
const placeOf = (suite: string, sections: readonly string[]): number =>
  sections.findIndex((section) => suite.startsWith(section));

/** The day of the figures, or the first and last day, because parts can be measured again without the rest. */
function datesOf(figures: readonly Measured[]): string {
  const days = [...new Set(figures.map(({ date }) => date.slice(0, 10)))].toSorted();
  return days.length === 1 ? days.join('') : `${days[0]} to ${days.at(-1)}`;
}

function goalsTable(figures: readonly Figure[]): string {
  const rows = figures.flatMap((figure) =>
    judge(figure).map(({ goal, measured, met }) => [
      `${figure.suite}: ${figure.name}`,
      goal,
      measured,
      met ? 'met' : '**missed**',
    ]),
  );
  return markdown(['', 'goal', 'measured', ''], rows);
}

/** Every bar is a multiple of ours, so that figures of all sizes fit into one chart. */
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
