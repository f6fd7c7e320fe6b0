import { beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, openPage } from '../../testing/console-server.js';
import { picture } from '../../testing/screenshots.js';

beforeAll(openConsoleServer);

it('a chart is drawn as chosen, with a unit and the numbers of each series, and a link keeps it', async () => {
  const apl = 'shop | summarize avg(duration_ms) by bin(_time, 5m), service';
  const page = await openPage(`query?q=${encodeURIComponent(apl)}&from=now-2h`);
  const options = page.getByRole('group', { name: 'Chart options' });
  await options.getByRole('button', { name: /Lines \(automatic\) Kind|Kind/ }).waitFor();
  const choose = async (label: RegExp, option: string): Promise<void> => {
    await options.getByRole('button', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose(/Kind/, 'Bars');
  await choose(/Stacking/, 'Stacked');
  await choose(/Unit/, 'milliseconds');
  await choose(/Decimals/, '1');
  await choose(/Legend/, 'Names and numbers');
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    kind: 'bar',
    stack: 'on',
    unit: 'TimeMS',
    digits: '1',
    legend: 'numbers',
  });
  await page.reload();
  const legend = page.getByRole('list', { name: 'Series' });
  const gateway = legend.getByRole('listitem').filter({ hasText: 'gateway' });
  await expect
    .poll(() => gateway.innerText())
    .toMatch(/last\s+\d+\.\d ms\s+min\s+\d+\.\d ms\s+max\s+\d+\.\d ms\s+avg\s+\d+\.\d ms/);
  expect(await gateway.getByTitle(/^avg \d+\.\d{4,}$/).count()).toBe(1);
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'chart-options');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1024, height: 768 });
  await picture(page, 'chart-options-light-1024');
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, 'chart-options-light-390');
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
