import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, fill, openPage } from '../../testing/console-server.js';
import { picture } from '../../testing/screenshots.js';

beforeAll(openConsoleServer);

it('chosen fields for message and level are those of the rows', async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'chosen', [
    { _time: new Date().toISOString(), message: 'plain', note: 'chosen text', sort: 'warn' },
  ]);
  const page = await openPage('datasets/chosen/settings');
  await page.getByRole('combobox', { name: 'Message' }).fill('note');
  await page.getByRole('combobox', { name: 'Level' }).fill('sort');
  await page.getByRole('combobox', { name: 'Service' }).fill('unknown');
  await page.getByText('No event has this field').waitFor();
  for (const colorScheme of ['dark', 'light'] as const)
    for (const width of [390, 1024, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await picture(page, `dataset-roles-${colorScheme}-${width}`);
    }
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'Service' }).fill('');
  await page.getByRole('button', { name: 'Save fields' }).click();
  await page.getByText('The fields are saved').waitFor();
  await page.getByRole('button', { name: 'Open in Query' }).click();
  const row = page.getByRole('grid', { name: 'Events' }).getByRole('row').first();
  await expect.poll(() => row.textContent()).toMatch(/W\s*chosen text/);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

describe('a field with the event time', () => {
  const line = '{"@timestamp":"2026-01-02T03:04:05Z","msg":"from a file"}';

  it('is used by the text box, and the page says when it was ignored', async () => {
    const { request } = await openConsoleServer();
    await fill(request, 'timed', []);
    const page = await openPage('datasets/timed/ingest');
    await page.getByRole('textbox', { name: /^Events/ }).fill(line);
    const use = page.getByRole('checkbox', { name: 'Use @timestamp as the event time' });
    await use.waitFor();
    await page.getByRole('button', { name: 'Send 1 event' }).click();
    await page.getByText('1 event accepted.').waitFor();
    const times = async () => {
      const { body } = await request('/v1/query/_apl?format=tabular', {
        body: JSON.stringify({ apl: "timed | summarize countif(_time < datetime('2026-01-03')), count()" }),
      });
      return (body as { readonly tables: readonly { readonly columns: unknown }[] }).tables[0]!.columns;
    };
    expect(await times()).toEqual([[1], [1]]);

    // Without it the event gets its arrival time.
    await use.press('Space');
    await page.getByText('Events without _time get their arrival time.').waitFor();
    await page.getByRole('button', { name: 'Send 1 event' }).click();
    await expect.poll(times).toEqual([[1], [2]]);
    await closePage(page);
    const later = await openPage('datasets/timed/fields');
    await later.getByRole('note').getByText('?timestamp-field=@timestamp').waitFor();
    await picture(later, 'dataset-time-field');
    expect(await accessibilityProblems(later)).toEqual([]);

    // From now on requests that name no field use it.
    await later.getByRole('button', { name: 'Use @timestamp' }).click();
    await later.getByRole('note').waitFor({ state: 'hidden' });
    await request('/v1/datasets/timed/ingest', { body: `[${line}]` });
    await expect.poll(times).toEqual([[2], [3]]);
    expect(complaintsOf.get(later)).toEqual([]);
    await closePage(later);
  });
});
