import { beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, openPage } from '../../../testing/console-server.js';
import { picture } from '../../../testing/screenshots.js';
import { waitForResults } from '../testing/stored-dashboards.js';
import { exportedGrafana } from './testing/exported-grafana.js';

beforeAll(openConsoleServer);

it('importing a Grafana dashboard runs its queries over a dataset and lists the differences', async () => {
  const page = await openPage('dashboards', { height: 1500 });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  const buffer = Buffer.from(JSON.stringify(exportedGrafana));
  await (await chooser).setFiles({ name: 'shop.json', mimeType: 'application/json', buffer });
  const dialog = page.getByRole('dialog', { name: 'Import “Shop overview” from Grafana' });
  await dialog.getByRole('button', { name: /Dataset for its queries/ }).click();
  await page.getByRole('option', { name: 'shop', exact: true }).click();
  await dialog.getByText('10 panels, 7 with a translated query').waitFor();
  await dialog.getByRole('list', { name: 'Differences' }).getByText('“CPU”: PromQL is not translated').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'board-grafana-dialog');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.waitForURL(/dashboards\/[0-9a-f-]{36}/);
  await page.getByRole('button', { name: 'Details' }).click();
  await waitForResults(page);
  await page.getByRole('figure', { name: /Requests: 3 series/ }).waitFor();
  await page.getByRole('group', { name: 'CPU' }).getByText('process_cpu_seconds_total').waitFor();
  await picture(page, 'board-grafana');
  for (const problem of ['The query failed', 'Cannot display this result'])
    expect(await page.getByText(problem).count(), problem).toBe(0);
  // A variable is a filter for the queries that use it.
  await page
    .getByRole('button', { name: /Service/ })
    .first()
    .click();
  await page.getByRole('option', { name: 'checkout' }).click();
  await page.waitForURL(/f\._service=checkout/);
  await waitForResults(page);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
