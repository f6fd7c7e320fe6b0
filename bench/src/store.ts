import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MeasuredFigure, Results } from './result.js';

/**
 * Results in files: runs of parts add up, and a figure that is measured again replaces the earlier
 * one.
 */

export function readResults(path: string): Results | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : undefined;
}

export function writeResults(path: string, results: Results): void {
  mkdirSync(dirname(path), { recursive: true });
  // Replaced in one step: a run that ended in the middle of a write would destroy all earlier
  // figures.
  writeFileSync(`${path}.new`, `${JSON.stringify(results, undefined, 1)}\n`);
  renameSync(`${path}.new`, path);
}

/** Why the figures of two results cannot be combined; undefined if they can. */
export function mismatch(earlier: Results, later: Omit<Results, 'figures'>): string | undefined {
  const nameOf = ({ size, machine }: Omit<Results, 'figures'>): string =>
    `${size}, ${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB`;
  const [was, is] = [nameOf(earlier), nameOf(later)];
  return was === is ? undefined : `it has results of (${was}), these are of (${is})`;
}

const keyOf = ({ suite, name }: MeasuredFigure): string => JSON.stringify([suite, name]);

/** Every figure of both. Where both have one, the later figure takes the place of the earlier. */
export function mergeFigures(
  earlier: readonly MeasuredFigure[],
  later: readonly MeasuredFigure[],
): readonly MeasuredFigure[] {
  const figures = new Map([...earlier, ...later].map((figure) => [keyOf(figure), figure]));
  return [...figures.values()];
}
