import { beforeAll, expect, it } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, fill, reusePage } from '../../../testing/console-server.js';
import { accessibilityProblems } from '../../../testing/axe.js';
import { looksGood, picture, press } from '../../../testing/screenshots.js';

/** SLOs and routes: made in the console, and how their pages look. */

const ids: Record<string, string> = {};

beforeAll(async () => {
  const { request } = await openConsoleServer();
  const make = async (path: string, body: Readonly<Record<string, unknown>>, method = 'POST'): Promise<string> => {
    const { status, body: answer } = await request(path, { method, body: JSON.stringify(body) });
    if (status !== 200) throw new Error(JSON.stringify(answer));
    return (answer as { id: string }).id;
  };
  const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  await fill(
    request,
    'checkouts',
    Array.from({ length: 600 }, (_, n) => ({ _time: ago(n * 15), status: n % 97 === 0 || n < 3 ? 500 : 200 })),
  );
  const slo = { aplQuery: 'checkouts', good: 'status < 500', windowDays: 7 };
  ids['slo'] = await make('/v2/slos', { ...slo, name: 'Checkouts succeed', objective: 97 });
  await make('/v2/slos', {
    ...slo,
    name: 'Checkouts never fail, as the contract with our largest customer says',
    objective: 99.9,
  });
  await make('/v2/slos', { ...slo, name: 'Nothing yet', objective: 99, aplQuery: 'checkouts | where status == 1' });
  const notifier = (name: string) =>
    make('/v2/notifiers', { name, properties: { webhook: { url: `https://${name}.example` } } });
  const [log, pager, chat, lead] = [
    await notifier('log'),
    await notifier('pager'),
    await notifier('chat'),
    await notifier('lead'),
  ];
  const routes = [
    { name: 'Everything in the log', notifierIds: [log], continue: true },
    {
      name: 'Pages',
      labels: { team: 'payments' },
      severities: ['critical'],
      notifierIds: [pager],
      escalation: { afterMinutes: 15, notifierIds: [lead] },
    },
    { name: 'Payments', labels: { team: 'payments' }, notifierIds: [chat] },
  ];
  await make('/v2/notification-routes', { routes }, 'PUT');
});

it('makes an SLO, shows its budget and deletes it', async () => {
  const page = await reusePage('monitors/slos');
  await page.getByRole('button', { name: 'New SLO' }).click({ timeout: 30_000 });
  const form = page.getByRole('dialog', { name: 'New SLO' });
  await form.getByRole('button', { name: 'Create SLO' }).click();
  await form.getByText('Enter a name').waitFor();
  await form.getByLabel('Name').fill('Paid');
  await form.getByRole('textbox', { name: 'Events that count' }).click();
  await page.keyboard.type('checkouts');
  await form.getByLabel('Good if').fill('status < ');
  await form.getByLabel('Objective').fill('95');
  await form.getByText('Allows 1 bad event of 20, or 36 h of full outage').waitFor();
  await form.getByRole('button', { name: 'Create SLO' }).click();
  // The server explains what it rejects.
  await form.getByRole('alert').waitFor();
  await form.getByLabel('Good if').fill('status < 500');
  await form.getByRole('button', { name: 'Create SLO' }).click();
  const row = page.getByRole('row', { name: /^Paid|Paid/ }).first();
  await row.getByText('95% good over 30 d').waitFor();
  await row
    .getByText(/^\d+%$/)
    .first()
    .waitFor();
  await row.getByText('95% good over 30 d').click();
  const drawer = page.getByRole('dialog', { name: 'Paid' });
  await drawer.getByText('Budget left', { exact: true }).waitFor();
  await drawer.getByRole('link', { name: /14.4× over/ }).click();
  // Its monitors change with it.
  await page.getByRole('link', { name: 'Open its SLO' }).click();
  await drawer.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the SLO' }).click();
  await row.waitFor({ state: 'detached' });
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('shows the receivers and edits the routes', async () => {
  const page = await reusePage('notifiers/routes');
  const tree = page.getByRole('list', { name: 'Routes' });
  await tree.getByText('Everything in the log').waitFor({ timeout: 30_000 });
  await page.getByRole('textbox', { name: 'Labels' }).fill('team=payments');
  await page.getByRole('button', { name: 'Show' }).click();
  const notified = page.getByRole('list', { name: 'Notified' });
  await notified.getByText('route 3, Payments').waitFor();
  expect(await notified.getByRole('listitem').allTextContents()).toEqual([
    'log route 1, Everything in the log',
    'chat route 3, Payments',
  ]);
  await page.getByRole('button', { name: 'Move Payments up' }).click();
  const names = (): Promise<readonly string[]> => tree.locator('strong').allTextContents();
  await expect.poll(names).toEqual(['Everything in the log', 'Payments', 'Pages']);
  await tree.getByRole('button', { name: 'Edit Payments' }).click();
  const form = page.getByRole('dialog', { name: 'Edit route' });
  await form.getByLabel('Escalate after').fill('5');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Choose whom to notify then').waitFor();
  await form.getByRole('group', { name: 'Then also notifies' }).getByText('lead').click();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Move Payments down' }).click();
  await tree.getByText('after 5 min without acknowledgment').waitFor();
  await expect.poll(names).toEqual(['Everything in the log', 'Pages', 'Payments']);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('publishes a status page that needs no sign-in', async () => {
  const page = await reusePage('monitors/incidents');
  await page.getByRole('button', { name: 'Status page' }).click({ timeout: 30_000 });
  const form = page.getByRole('dialog', { name: 'Status page' });
  await form.getByText('Public: anyone can read it').click();
  await form.getByLabel('Title').fill('Status of the shop');
  await form.getByLabel('Message').fill('We are looking into failed checkouts.');
  for (const rate of ['14.4', '6']) await form.getByText(`Checkouts succeed: budget burns ${rate}× too fast`).click();
  await form.getByLabel(/^Public name of Checkouts succeed: budget burns 14.4×/).fill('Checkout');
  await picture(page, 'status-page-drawer');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await page.goto(new URL('/status', page.url()).href);
  await page.getByRole('heading', { name: 'Status of the shop' }).waitFor();
  await page.getByText('Checkout', { exact: true }).waitFor();
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1440, 820, 400]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 800 });
      await picture(page, `status-${theme}-${width}`);
    }
  expect(await accessibilityProblems(page)).toEqual([]);
  await closePage(page);
});

looksGood([
  {
    name: 'slos',
    path: 'monitors/slos',
    ready: (page) => page.getByText('no events'),
    opens: { 'monitors/slos/slo-drawer': press('New SLO') },
  },
  {
    name: 'slo',
    path: () => `monitors/slos?id=${ids['slo']}`,
    ready: (page) => page.getByText('Budget left over 7 days'),
  },
  {
    name: 'routes',
    path: 'notifiers/routes',
    ready: async (page) => {
      await page.getByRole('textbox', { name: 'Labels' }).fill('team=payments');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('route 3, Payments', { exact: true }).waitFor();
    },
    opens: { 'monitors/routes/route-drawer': press('Edit Pages') },
  },
  {
    name: 'status-page',
    path: 'monitors/incidents',
    ready: (page) => page.getByRole('button', { name: 'Status page' }),
    opens: { 'monitors/status-page/status-page-drawer': press('Status page') },
  },
]);
