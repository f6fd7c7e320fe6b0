import axiomPino from '@axiomhq/pino';
import { WinstonTransport } from '@axiomhq/winston';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createLogger } from 'winston';
import { apl, cell } from '../support/apl.ts';
import { oneServer } from './one-server.ts';

/**
 * Loggers with the official transports: logged events are stored when the transport reports
 * completion.
 */

const one = oneServer();
const options = () => ({ url: one.server.url, token: one.server.token, orgId: 'any' });

const loggedColumns = async (dataset: string, columns: string): Promise<readonly (readonly unknown[])[]> =>
  (await apl(one.server, `['${dataset}'] | sort by n asc | project ${columns}`)).tables[0]!.columns;

it('pino', async () => {
  const dataset = await one.dataset();
  const transport = await axiomPino({ ...options(), dataset });
  const logger = pino({ level: 'trace', base: { service: 'shop' } }, transport);
  const before = Date.now();
  logger.trace({ n: 1, request: { method: 'GET' } }, 'first');
  logger.error({ n: 2 }, 'second');
  const closed = new Promise((resolve) => transport.once('close', resolve));
  transport.end();
  await closed;
  expect(await loggedColumns(dataset, "n, level, msg, service, ['request.method']")).toEqual([
    [1, 2],
    ['trace', 'error'],
    ['first', 'second'],
    ['shop', 'shop'],
    ['GET', null],
  ]);
  // The time of the call to the logger, in milliseconds, not the time of arrival.
  const [times] = await loggedColumns(dataset, '_time');
  for (const time of times!) expect(Date.parse(time as string)).toBeGreaterThanOrEqual(before);
});

it('winston', async () => {
  const dataset = await one.dataset();
  const errors: Error[] = [];
  const transport = new WinstonTransport({ ...options(), dataset, onError: (error) => errors.push(error) });
  const logger = createLogger({ level: 'debug', defaultMeta: { service: 'shop' }, transports: [transport] });
  logger.info('first', { n: 1, request: { method: 'GET' } });
  logger.warn('second', { n: 2 });
  // The logger passes on one entry per turn of the event loop.
  await expect.poll(() => transport.batch.length, { timeout: 20_000 }).toBe(2);
  await new Promise<void>((resolve, reject) => {
    transport.flush((error) => (error === null || error === undefined ? resolve() : reject(error)));
  });
  expect(errors).toEqual([]);
  expect(await loggedColumns(dataset, "n, level, message, service, ['request.method']")).toEqual([
    [1, 2],
    ['info', 'warn'],
    ['first', 'second'],
    ['shop', 'shop'],
    ['GET', null],
  ]);
});

it('winston sends without a custom transport', async () => {
  const dataset = await one.dataset();
  const logger = createLogger({ transports: [new WinstonTransport({ ...options(), dataset })] });
  logger.info('alone', { n: 1 });
  const countFound = () => cell(one.server, `['${dataset}'] | where ['message'] == 'alone' | count`);
  await expect.poll(countFound, { timeout: 20_000 }).toBe(1);
});
