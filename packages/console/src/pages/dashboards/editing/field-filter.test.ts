import { beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, fill, reusePage } from '../../../testing/console-server.js';
import { picture } from '../../../testing/screenshots.js';
import { boardOf } from '../testing/example-dashboards.js';
import { keep, waitForResults } from '../testing/stored-dashboards.js';

beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'hosts', [{ _time: new Date(), host: 'a', load: 1 }]);
  const list = (id: string, name: string, apl: string) => ({ id, type: 'TopK', name, query: { apl } });
  const declared =
    "declare query_parameters (_service: string = '');\nshop | where isempty(_service) or service == _service";
  await keep(
    'by-field',
    boardOf('By field', [
      [list('services', 'Services', 'shop | summarize count() by service'), [0, 0, 4, 4]],
      [list('hosts', 'Hosts', 'hosts | summarize count() by host'), [4, 0, 4, 4]],
      [list('declared', 'Declared', `${declared} | summarize count() by service`), [0, 4, 4, 4]],
    ]),
  );
});

it('a value has the links of its field, with the value in the address', async () => {
  await keep(
    'linked',
    boardOf('Linked', [
      [
        { id: 'services', type: 'TopK', name: 'Services', query: { apl: 'shop | summarize count() by service' } },
        [0, 0, 6, 4],
      ],
    ]),
  );
  const page = await reusePage('dashboards/linked?edit=on');
  await waitForResults(page);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Settings/ }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Add a link' }).click();
  await sheet.getByRole('textbox', { name: 'Field' }).fill('service');
  await sheet.getByRole('textbox', { name: 'Title' }).fill('Traces of it');
  const address = sheet.getByRole('textbox', { name: 'Address' });
  await address.fill('javascript:alert(1)');
  await sheet.getByText('Enter a web address or a page of the console').waitFor();
  await address.fill('traces?service={value}&from={from}');
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1024, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await picture(page, `board-links-${colorScheme}-${width}`);
    }
  expect(await accessibilityProblems(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Apply' }).click();
  await page.keyboard.press('Control+s');
  await page.getByRole('group', { name: 'Changes', exact: true }).getByText('Links of values: 0 → 1').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.getByRole('group', { name: 'Services' }).getByText('gateway').click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Traces of it' }).click();
  const tab = await opened;
  await tab.waitForURL(/\/console\/traces\?service=gateway&from=/);
  await tab.close();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('a filter needs a field only, and applies to each element whose dataset has the field', async () => {
  const page = await reusePage('dashboards/by-field?edit=on');
  await waitForResults(page);
  const sheet = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await sheet.getByRole('button', { name: /^Filter bar/ }).click();
  await sheet.getByRole('button', { name: 'service 2 of 3' }).waitFor();
  await sheet.getByRole('searchbox', { name: 'Filter by field' }).fill('SERV');
  await page.keyboard.press('Enter');
  await sheet.getByText('Applies to 2 of 3 elements').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'board-field-filter-editor');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
  await picture(page, 'board-field-filter-editor-light-390');
  await page.setViewportSize({ width: 1440, height: 900 });
  await sheet.getByRole('button', { name: 'Done' }).click();
  // The bar is at the top, and there is one.
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await sheet.getByRole('button', { name: /^Filter bar/ }).click();
  await sheet.getByText('Applies to 2 of 3 elements').waitFor();
  await sheet.getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Control+s');
  const changes = page.getByRole('group', { name: 'Changes', exact: true });
  await changes.getByText('Filter bar added').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();

  await page
    .getByRole('button', { name: /service/ })
    .first()
    .click();
  await page.getByRole('option', { name: 'gateway' }).click();
  await page.waitForURL(/f\._service=gateway/);
  await picture(page, 'board-filter-open');
  await page.getByRole('option', { name: 'checkout' }).click();
  await page.waitForURL(/f\._service=gateway(,|%2C)checkout/);
  await page.keyboard.press('Escape');
  await waitForResults(page);
  const several = page.getByRole('group', { name: 'Services' }).getByRole('listitem');
  await expect.poll(() => several.count()).toBe(2);
  await page
    .getByRole('button', { name: /service/ })
    .first()
    .click();
  await page.getByRole('option', { name: 'checkout' }).click();
  await page.keyboard.press('Escape');
  await waitForResults(page);
  const rows = (name: string) => page.getByRole('group', { name }).getByRole('listitem').allInnerTexts();
  await expect.poll(() => rows('Services')).toEqual([expect.stringContaining('gateway')]);
  await expect.poll(() => rows('Declared')).toEqual([expect.stringContaining('gateway')]);
  await page.getByRole('group', { name: 'Hosts' }).getByText('not filtered').waitFor();
  expect(await page.getByText('not filtered').count()).toBe(1);
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'board-field-filter');

  const { request } = await openConsoleServer();
  const { body } = await request('/v2/dashboards/uid/by-field');
  expect(body).toMatchObject({
    dashboard: {
      charts: [{}, {}, {}, { filters: [{ id: '_service', field: 'service', type: 'select' }] }],
      layout: [{ y: 1 }, { y: 1 }, { y: 5 }, { i: 'smartfilter-1', x: 0, y: 0, w: 12 }],
    },
  });
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
