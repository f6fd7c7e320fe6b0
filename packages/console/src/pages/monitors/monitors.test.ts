import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, fill, openPage, reusePage } from '../../testing/console-server.js';

/** Monitors and notifiers, from creation to a delivered message, by mouse and keyboard. */

const bodies: string[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    bodies.push(Buffer.concat(chunks).toString());
    response.end('thanks');
  });
});
const receiverUrl = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/secret-path`;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { request } = await openConsoleServer();
  // Failures come in two bursts; the last one continues. They end now, not with the sample data of
  // the shared server: a server that other files have used for ten minutes has no recent events.
  const minute = 60_000;
  const end = Date.now();
  const events = Array.from({ length: 240 }, (_, index) => ({
    _time: new Date(end - index * minute).toISOString(),
    failures: index < 12 || (index > 90 && index < 110) ? 40 + (index % 7) : index % 5,
  }));
  await fill(request, 'watched', events);
});
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const slider = (page: Page) => page.getByRole('slider', { name: 'Threshold' });
const query = 'watched\n| summarize max(failures) by bin(_time, 1m)';

it('creates, previews and tests a notifier', async () => {
  const page = await reusePage('notifiers');
  await page.getByRole('button', { name: 'New notifier' }).waitFor();
  await page.keyboard.press('n');
  const sheet = page.getByRole('dialog', { name: 'New notifier' });
  await sheet.getByLabel('Name').fill('ops');
  await sheet.getByRole('button', { name: /^Slack/ }).click();
  await page.getByRole('option', { name: 'Custom webhook' }).click();
  await sheet.getByLabel('Address').fill(receiverUrl());
  await sheet.getByLabel('Body').fill('{"say": "{{.Body}}", "wrong": {{.Nothing}}}');
  // Template errors are shown at their position.
  await sheet.getByText(/line 1, column 33/).waitFor();
  await sheet.getByLabel('Body').fill('{"say": "{{.Body}}", "is": "{{.Action}}"}');
  await sheet.getByLabel('Secret headers').fill('Authorization: Bearer hidden');
  await sheet.getByText('Current value of 42 is above').waitFor();
  await sheet.getByRole('tab', { name: 'Resolved' }).click();
  await sheet.getByText('no longer above').waitFor();
  // Works before it exists.
  await sheet.getByRole('button', { name: 'Send test' }).click();
  await sheet.getByText('Delivered').waitFor();
  expect(bodies).toHaveLength(1);
  await sheet.getByRole('button', { name: 'Create notifier' }).click();
  const kept = page.getByRole('dialog', { name: 'ops' });
  await kept.getByRole('button', { name: 'Send test' }).click();
  await kept.getByText('Delivered').waitFor();
  await kept.getByText('thanks').waitFor();
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({ is: 'Open' });
  // The secret is no longer on the page, and saving the rest does not change it.
  expect(await kept.getByLabel('Secret headers').inputValue()).toBe('Authorization: ');
  await kept.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('row', { name: /ops/ }).waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('moves the threshold by keyboard and mouse, and the back-test follows', async () => {
  const page = await reusePage(`query?q=${encodeURIComponent(query)}&from=now-10m`);
  await page.getByRole('button', { name: 'Run' }).waitFor();
  await page.getByRole('main').focus();
  await page.keyboard.press('M');
  // Starts with a value that the query rarely exceeds.
  await page.getByText('Would not have fired').waitFor();
  const field = page.getByRole('textbox', { name: 'Threshold' });
  expect(Number(await field.inputValue())).toBeGreaterThan(40);
  await field.fill('20');
  // Everything arrived just now, so among past runs only the last has data.
  await page.getByText('Would have fired once, for 5 min').waitFor();
  const value = async (): Promise<number> => Number(await slider(page).getAttribute('aria-valuenow'));
  await slider(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(value).toBeLessThan(20);
  expect(Number(await field.inputValue())).toBe(await value());
  await page.keyboard.press('End');
  await page.getByText('Would not have fired').waitFor();
  const box = (await slider(page).boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 160, { steps: 3 });
  await page.mouse.up();
  await page.getByText('Would have fired once').waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('a new monitor fires, notifies and appears in the sidebar; it is muted, unmuted and deleted', async () => {
  const page = await reusePage(`monitors/new?q=${encodeURIComponent(query)}&from=now-10m`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Failures');
  await page.getByRole('textbox', { name: 'Threshold' }).fill('20');
  await page.getByText('ops', { exact: true }).click();
  const sent = bodies.length;
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { level: 1, name: 'Failures' }).waitFor();
  await expect.poll(() => bodies.slice(sent).join(), { timeout: 20_000 }).toContain('"is": "Open"');
  await page.reload();
  await page.getByText('Firing', { exact: true }).waitFor();
  await page.getByText(/ops\s+delivered/).waitFor();
  await page.getByRole('link', { name: 'Monitors, 1 firing' }).waitFor();
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Until tomorrow 09:00' }).click();
  await page.getByRole('button', { name: 'Muted', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Unmute' }).click();
  await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the monitor' }).click();
  await page.getByRole('heading', { level: 1, name: 'Monitors' }).waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('reads as a sentence, with rare options folded', async () => {
  const page = await reusePage(`monitors/new?q=${encodeURIComponent(query)}&from=now-10m`);
  const sentence = page.getByRole('group', { name: 'Condition' });
  await sentence.waitFor();
  expect((await sentence.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /^Alert when a value is .*above.* over the last minutes, checked every minutes$/,
  );
  expect(await page.getByRole('textbox', { name: 'Evaluation delay' }).isVisible()).toBe(false);
  await page.getByText('More conditions').click();
  await page.getByRole('textbox', { name: 'Column', exact: true }).fill('max_failures');
  await sentence.getByText('max_failures').waitFor();
  await sentence.getByRole('textbox', { name: 'Every' }).fill('1');
  await sentence.getByText('minute', { exact: true }).waitFor();
  // Leaving during a back-test is no failure.
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { level: 1, name: 'Monitors' }).waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('filters by severity and label', async () => {
  const { request } = await openConsoleServer();
  const base = { type: 'Threshold', aplQuery: 'watched | count', operator: 'Above', threshold: 1e6 };
  for (const [name, extra] of Object.entries({
    'Labeled one': { severity: 'critical', labels: { team: 'one' } },
    'Labeled two': { severity: 'info', labels: { team: 'two' } },
  }))
    await request('/v2/monitors', { body: JSON.stringify({ ...base, name, ...extra }) });
  const page = await openPage('monitors');
  await page
    .getByRole('row', { name: /Labeled one/ })
    .getByText('team=one')
    .waitFor();
  await page.getByRole('button', { name: /Severity$/ }).click();
  await page.getByRole('option', { name: 'Critical' }).click();
  await expect.poll(() => page.getByRole('row', { name: /Labeled two/ }).count()).toBe(0);
  await page.getByRole('button', { name: /Severity$/ }).click();
  await page.getByRole('option', { name: 'All severities' }).click();
  await page.getByRole('button', { name: /Label$/ }).click();
  await page.getByRole('option', { name: 'team=two' }).click();
  await expect.poll(() => page.getByRole('row', { name: /Labeled one/ }).count()).toBe(0);
  await page.getByRole('row', { name: /Labeled two/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('label')).toBe('team=two');
  await closePage(page);
});

it('warns about bin_auto and replaces it on click', async () => {
  const page = await reusePage('monitors/new?q=watched | summarize count() by bin_auto(_time)');
  await page.getByRole('button', { name: 'Use bin(_time, 1m)' }).click();
  await page.getByText('bin(_time, 1m)').first().waitFor();
  await expect.poll(() => page.getByText(/bin_auto changes/).count()).toBe(0);
  await closePage(page);
});

it('finds monitors by name and mutes them together', async () => {
  const { request } = await openConsoleServer();
  for (const index of [1, 2, 3])
    await request('/v2/monitors', {
      body: JSON.stringify({
        name: `Quiet ${index}`,
        type: 'Threshold',
        aplQuery: 'watched | count',
        operator: 'Above',
        threshold: 1e6,
      }),
    });
  const page = await openPage('monitors?q=quiet');
  await page.getByRole('row', { name: /Quiet 3/ }).waitFor();
  await page
    .getByRole('row', { name: /Quiet 1/ })
    .getByRole('checkbox')
    .click({ force: true });
  await page.getByRole('columnheader').getByRole('checkbox').click({ force: true });
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.getByRole('menuitem', { name: '1 hour' }).click();
  await page.getByRole('radio', { name: 'Muted 3' }).click();
  await page.getByRole('row', { name: /Quiet 3/ }).waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
