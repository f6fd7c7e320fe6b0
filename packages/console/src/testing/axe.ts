import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * Rules to run: all that apply, or those whose findings depend on theme and width: colors, sizes,
 * and names of elements that only narrow pages have.
 */
const rules = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  look: {
    type: 'rule',
    values: [
      'color-contrast',
      'link-in-text-block',
      'scrollable-region-focusable',
      'target-size',
      'aria-hidden-focus',
      'button-name',
      'label',
      'link-name',
    ],
  },
} as const;

/** Violations that axe finds on a page or within a selector, one line each; tests expect `[]`. */
export async function accessibilityProblems(
  page: Page,
  { within, only = 'all' }: { readonly within?: string; readonly only?: keyof typeof rules } = {},
): Promise<readonly string[]> {
  // Injected once per page: the source is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const violations = await page.evaluate(
    async ({ selector, runOnly }) => {
      const { axe } = globalThis as unknown as {
        axe: { run(where: unknown, options: unknown): Promise<{ violations: Violation[] }> };
      };
      return (
        await axe.run(selector ?? document, {
          runOnly,
          // Tests need no descriptions of passes, selectors or style sheets.
          resultTypes: ['violations'],
          selectors: false,
          preload: false,
        })
      ).violations;
    },
    { selector: within, runOnly: rules[only] },
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
  );
}
