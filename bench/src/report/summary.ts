import type { Figure } from '../result.js';
import { sectionsOf } from './sections.js';
import { alignColumns, besideTable, figureTable, goalsTable } from './figures-table.js';

/**
 * Everything a run measured, as tables for a terminal.
 * @param order names of suites
 * @param judged whether goals mean anything at this size
 */
export function summary(figures: readonly Figure[], order: readonly string[], judged: boolean): string {
  const parts = sectionsOf(figures, order).flatMap(([suite, list]) => [
    `\n${suite.toUpperCase()}`,
    figureTable(list, alignColumns),
    besideTable(list, alignColumns),
  ]);
  const goals = judged ? goalsTable(figures, alignColumns) : '';
  return [...parts, ...(goals === '' ? [] : ['\nGOALS', goals])].filter(Boolean).join('\n\n');
}
