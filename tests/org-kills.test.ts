import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from './crash/random.ts';
import { cell, createDataset, send } from './support/apl.ts';
import { millrace } from './support/command.ts';
import { isDeep } from './support/depth.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';

/**
 * Creation and deletion of an organization, with the server killed between any two writes: after
 * the next start the organization is whole, or nothing is left of it.
 */

interface Entry {
  readonly id: string;
  readonly number: number;
  readonly state: string;
}

/** An organization that the next start must have, with the token of its owner. */
interface Survivor {
  readonly id: string;
  readonly token: string;
}

const directory = temporaryDirectory();
const quiet = { MILLRACE_LOG_LEVEL: 'silent' };
const databases = join(directory, 'engine', 'clickhouse', 'metadata');
let server: ServerProcess;
/** It exists throughout: what happens to others does not affect it. */
let neighbor: Survivor;

beforeAll(async () => {
  server = await startServer(directory, quiet);
  neighbor = await create('neighbor');
  await store(neighbor);
});
afterAll(async () => {
  await server.stop();
  removeDirectory(directory);
});

const list = (): readonly Entry[] =>
  (JSON.parse(readFileSync(join(directory, 'orgs.json'), 'utf8')) as { readonly orgs: readonly Entry[] }).orgs;
const other = (): Entry | undefined => list().find(({ id }) => id !== neighbor.id);
const folders = (): readonly string[] => readdirSync(join(directory, 'orgs'));
const folder = (): string | undefined => folders().find((id) => id !== neighbor.id);
const databaseNames = (): readonly string[] => readdirSync(databases).filter((name) => name.endsWith('.sql'));
const hasTables = (): boolean => databaseNames().length > 2;

const requestOrg = (name: string) => request(server, '/v2/orgs', { body: JSON.stringify({ name }) });
const requestDeletion = (id: string) => request(server, `/v2/orgs/${id}`, { method: 'DELETE' });

async function create(name: string): Promise<Survivor> {
  const { status, body } = await requestOrg(name);
  expect(status, JSON.stringify(body)).toBe(200);
  const { id, ownerToken: token } = body as { readonly id: string; readonly ownerToken: string };
  return { id, token };
}

/** Stores an event in an organization and finds it with all earlier ones. */
async function store({ token }: Survivor): Promise<void> {
  const address = { url: server.url, token };
  await createDataset(address, 'logs');
  const before = Number(await cell(address, 'logs | count'));
  expect((await send(address, 'logs', '{"id":1}')).status).toBe(200);
  expect(await cell(address, 'logs | count')).toBe(before + 1);
}

/**
 * Kills the server at a moment of a request.
 * @param moment resolves then
 * @returns the response, if the request had one before
 */
async function killDuring<T>(asked: Promise<T>, moment: () => Promise<void>): Promise<T | undefined> {
  let isAnswered = false;
  const answer = asked.then(
    (value) => ((isAnswered = true), value),
    () => ((isAnswered = true), undefined),
  );
  await Promise.race([moment(), answer]);
  const before = isAnswered;
  await server.kill();
  return before ? answer : undefined;
}

/** Resolves when files show a write; without a timer, because the next one follows within 1 ms. */
const when = (isReached: () => boolean) => async (): Promise<void> => {
  const late = Date.now() + 30_000;
  while (!isReached() && Date.now() < late) await setImmediate();
};

/** Starts the server again: it has the survivors, whole, and nothing of any other organization. */
async function expectOnly(survivors: readonly Survivor[]): Promise<void> {
  server = await startServer(directory, quiet);
  const ids = survivors.map(({ id }) => id).toSorted();
  expect(list().map(({ id, state }) => ({ id, state }))).toEqual(survivors.map(({ id }) => ({ id, state: 'active' })));
  expect(folders().toSorted()).toEqual(ids);
  expect(databaseNames().toSorted()).toEqual(
    ['millrace.sql', ...list().map(({ number }) => `millrace_${number}.sql`)].toSorted(),
  );
  const [, ...further] = (await request(server, '/v2/orgs')).body as readonly { readonly id: string }[];
  expect(further.map(({ id }) => id).toSorted()).toEqual(ids);
  for (const survivor of survivors) await store(survivor);
}

/** Creates an organization, with a kill, and checks what the next start has. */
async function killCreation(moment: () => Promise<void>): Promise<void> {
  const answer = (await killDuring(requestOrg('acme'), moment))?.body as { readonly ownerToken: string } | undefined;
  const entry = other();
  if (entry?.state !== 'active') {
    expect(answer).toBeUndefined();
    await expectOnly([neighbor]);
    return;
  }
  // Without a response the operator makes the token.
  const args = ['token', 'create', 'owner', '--personal', '--data-dir', join(directory, 'orgs', entry.id)];
  const token = answer?.ownerToken ?? (await millrace(args)).out.trim();
  await expectOnly([neighbor, { id: entry.id, token }]);
  expect((await requestDeletion(entry.id)).status).toBe(204);
}

/** Deletes an organization that has events, with a kill, and checks what the next start has. */
async function killDeletion(moment: () => Promise<void>): Promise<void> {
  const org = await create('acme');
  await store(org);
  const answer = await killDuring(requestDeletion(org.id), moment);
  const isWhole = other()?.state === 'active';
  if (isWhole) expect(answer).toBeUndefined();
  await expectOnly(isWhole ? [neighbor, org] : [neighbor]);
  if (isWhole) expect((await requestDeletion(org.id)).status).toBe(204);
  else expect((await request({ url: server.url, token: org.token }, '/v2/datasets')).status).toBe(403);
}

describe('a kill while an organization is created', () => {
  it.each([
    ['after the entry', () => other() !== undefined],
    ['after the metadata', () => existsSync(join(directory, 'orgs', folder() ?? '-', 'metadata.sqlite'))],
    ['after the database of its tables', hasTables],
  ])('%s', async (_name, isReached) => {
    expect.hasAssertions();
    await killCreation(when(isReached));
  });
});

describe('a kill while an organization is deleted', () => {
  it.each([
    ['after the entry', () => other()?.state !== 'active'],
    ['after the database of its tables', () => !hasTables()],
    ['after the files', () => folder() === undefined],
  ])('%s', async (_name, isReached) => {
    expect.hasAssertions();
    await killDeletion(when(isReached));
  });
});

describe.runIf(isDeep)('a kill after the last write, and at any time', () => {
  const random = new Random('organizations', process.env['KILL_SEED'] ?? '1');
  it('after the activation, and after the removal of the entry', async () => {
    expect.hasAssertions();
    await killCreation(when(() => other()?.state === 'active'));
    await killDeletion(when(() => other() === undefined));
  });
  it.each(Array.from({ length: 20 }, (_, round) => round))('round %i', async () => {
    expect.hasAssertions();
    await killCreation(() => sleep(random.fraction() * 200));
    await killDeletion(() => sleep(random.fraction() * 100));
  });
});
