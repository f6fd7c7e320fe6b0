import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EvaluationProblem, ParseProblem } from './model/problems.js';
import { ask, linesOf } from './testing/memory.js';
import { shop } from './testing/shop.js';

/**
 * Queries over the series of the shop, with their results: at 10 minutes, or at the minutes that
 * follow `>`.
 */

const folder = new URL('cases/', import.meta.url);
const minute = 60_000;

interface Case {
  readonly query: string;
  readonly grid: { readonly start: number; readonly step: number; readonly length: number };
  readonly lines: readonly string[];
}

function read(file: string): readonly Case[] {
  return readFileSync(new URL(file, folder), 'utf8')
    .split(/\n(?:\s*\n)+/)
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
    .filter((block) => block.length > 0)
    .map((block) => {
      const at = block.indexOf('----');
      const [first, step, last] = (
        block
          .slice(0, at)
          .find((line) => line.startsWith('>'))
          ?.slice(1) ?? '10 1 10'
      )
        .trim()
        .split(' ')
        .map(Number) as [number, number, number];
      return {
        query: block
          .slice(0, at)
          .filter((line) => !line.startsWith('>'))
          .join('\n'),
        grid: { start: first * minute, step: step * minute, length: Math.floor((last - first) / step) + 1 },
        lines: block.slice(at + 1),
      };
    });
}

function outcome({ query, grid }: Case): readonly string[] {
  try {
    return linesOf(ask(query, shop, grid));
  } catch (error) {
    if (error instanceof ParseProblem || error instanceof EvaluationProblem) return [`error: ${error.message}`];
    throw error;
  }
}

for (const file of readdirSync(folder))
  describe(`${file}`, () => {
    test.each(read(file).map((each) => [each.query, each] as const))('%s', (_, each) => {
      expect(outcome(each)).toEqual(each.lines);
    });
  });
