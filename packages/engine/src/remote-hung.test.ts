import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { connect } from './remote.js';
import { errorOf, waitUntil } from './testing/engines.js';

it('ends when the server hangs, queries too; then all of it goes on', async () => {
  const owner = { id: 'hung', known: false };
  let claim = '';
  let isHung = false;
  const held: (() => void)[] = [];
  const http = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sql = (await buffer(request)).toString('latin1');
    claim = /'([^']*)' AS claim$/.exec(sql)?.[1] ?? claim;
    const answers = {
      'version()': '99.1',
      'arrayJoin([owner': `${owner.id}\n${claim}`,
      'count()': '0',
      'SELECT 1': '1',
    };
    const [, lines] = Object.entries(answers).find(([part]) => sql.includes(part)) ?? [];
    const end = (): void => void response.end(lines === undefined ? '' : `${lines}\n`);
    if (isHung) held.push(end);
    else end();
  }
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const engine = await connect({
    url,
    user: 'u',
    password: 'p',
    database: 'default',
    owner,
    watchMilliseconds: 20,
    lostMilliseconds: 200,
  });
  isHung = true;
  const ending = [engine.query('SELECT 1', { format: 'CSV' }), engine.execute('ALTER TABLE t DROP PARTITION 1')];
  expect((await Promise.all(ending.map(errorOf))).map(({ code }) => code)).toEqual(['unavailable', 'unavailable']);
  isHung = false;
  held.forEach((end) => end());
  await waitUntil('it is ready again', () => engine.health().state === 'ready');
  // On a busy machine the server may count as lost again.
  const one = async (): Promise<string> => {
    const result = await engine.query('SELECT 1', { format: 'CSV' }).catch(() => undefined);
    return String(result?.body ?? '');
  };
  await expect.poll(one).not.toBe('');
  await engine.close();
  http.closeAllConnections();
  http.close();
});
