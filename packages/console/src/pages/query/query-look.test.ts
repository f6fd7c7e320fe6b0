import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { consoleWorld, complaintsOf } from '../../testing/console-world.js';
import { inLook, looks } from '../../testing/pictures.js';

beforeAll(consoleWorld);

const pages = [
  { name: 'query-log', path: 'query?q=shop', ready: 'row' },
  { name: 'query-table', path: 'query?q=shop&v=table', ready: 'row' },
  { name: 'query-detail', path: 'query?q=shop%0A|+where+status+>=+500&row=0', ready: 'row' },
  { name: 'query-groups', path: 'query?q=shop+|+summarize+count(),+avg(duration_ms)+by+route', ready: 'row' },
  { name: 'query-chart', path: 'query?q=shop+|+summarize+count()+by+bin(_time,+1m),+service', ready: 'figure' },
  { name: 'query-spotlight', path: 'query?q=shop&v=spotlight&sel=status+>=+500', ready: 'figure' },
  { name: 'query-empty', path: 'query', ready: 'button' },
  { name: 'query-none', path: 'query?q=shop+|+where+status+==+7', ready: 'button' },
  { name: 'query-wrong', path: 'query?q=shop+|+summarise+count()', ready: 'alert' },
] as const;

describe.each(looks)('$name', (look) => {
  it.each(pages)('$name', ({ name, path, ready }) =>
    inLook(
      path,
      name,
      look,
      async (page) => {
        await page.getByRole(ready).first().waitFor();
        await page.waitForLoadState('networkidle');
      },
      async (page) => {
        expect(await accessibilityProblems(page)).toEqual([]);
        expect(complaintsOf.get(page)).toEqual([]);
      },
    ),
  );
});
