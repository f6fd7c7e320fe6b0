import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cell, createDataset } from '../support/apl.ts';
import { freePort } from '../support/free-port.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from '../support/server-process.ts';
import { type Agent, type Place, type RunningAgent, start } from './shippers/agents/agent.ts';
import { agents } from './shippers/agents/index.ts';
import { milliseconds, removeScratch, createScratchDirectory } from './shippers/libraries.ts';

/**
 * Programs that follow a file and send its lines: lines arrive unchanged despite a full server, a
 * killed one, and one that rejects their token. They must be installed on this machine; FILEBEAT,
 * SYSLOG_NG, SYSLOG_NG_MODULES, SYSLOG_NG_INCLUDE and RSYSLOG_MODULES override the usual paths.
 */

afterAll(removeScratch);

const dataset = 'agents';
const patience = { timeout: milliseconds };
/** More than any disk has: a server with this reserve is full from the start. */
const everything = '1000GiB';

/** A server that can be started again at the same ports, and an agent that sends to it. */
class Scene {
  readonly #agent: Agent;
  readonly #data = temporaryDirectory();
  readonly place: Place;
  #server: ServerProcess | undefined;
  #runningAgent: RunningAgent | undefined;
  #lines = 0;

  static async set(agent: Agent): Promise<Scene> {
    return new Scene(agent, { http: await freePort(), syslog: await freePort() });
  }

  private constructor(agent: Agent, ports: Place['ports']) {
    this.#agent = agent;
    const directory = createScratchDirectory();
    const input = join(directory, 'input.log');
    writeFileSync(input, '');
    this.place = { host: '127.0.0.1', ports, token: '', dataset, input, directory: join(directory, 'agent') };
    mkdirSync(this.place.directory);
  }

  get printed(): string {
    return this.#runningAgent?.printed() ?? '';
  }

  async serve(settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const { ports } = this.place;
    this.#server = await startServer(this.#data, {
      MILLRACE_LOG_LEVEL: 'silent',
      MILLRACE_AUTH_FAILURE_STATUS: '401',
      MILLRACE_PORT: String(ports.http),
      MILLRACE_SYSLOG_LISTENERS: `tcp://127.0.0.1:${ports.syslog}/${dataset}`,
      ...settings,
    });
    return this.#server;
  }

  run(token: string): void {
    this.#runningAgent = start(this.#agent.command({ ...this.place, token }));
  }

  async rest(): Promise<void> {
    await this.#runningAgent?.kill();
  }

  /** Appends `count` lines. */
  write(count: number, to = dataset): void {
    const { line = (message) => message } = this.#agent;
    const lines = Array.from({ length: count }, () => `${line(`message ${this.#lines++}`, to)}\n`);
    appendFileSync(this.place.input, lines.join(''));
  }

  /** Different messages that are stored. */
  countStored(): Promise<unknown> {
    const { field = 'message' } = this.#agent;
    return cell(this.#server!, `${dataset} | where ${field} startswith 'message ' | distinct ${field} | count`);
  }

  /** Requests that were rejected with this code. */
  async countRejected(code: string): Promise<number> {
    const { url, token } = this.#server!;
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const [, count = '0'] =
      new RegExp(`^millrace_http_refusals_total\\{code="${code}"\\} (\\d+)$`, 'm').exec(await answer.text()) ?? [];
    return Number(count);
  }

  async end(): Promise<void> {
    await this.#runningAgent?.kill();
    await this.#server?.stop();
    removeDirectory(this.#data);
  }
}

const here = new Map<string, Agent>();
for (const [name, agent] of Object.entries(agents)) if (await agent.isHere()) here.set(name, agent);

describe.skipIf(here.size === 0).each([...here])('%s', (_, agent) => {
  it(
    'keeps its lines while the server is full, and delivers all of them though it is killed',
    async () => {
      const scene = await Scene.set(agent);
      try {
        let server = await scene.serve();
        await createDataset(server, dataset);
        if (agent.dropsRefused !== true) {
          await server.stop();
          server = await scene.serve({ MILLRACE_DISK_RESERVE_BYTES: everything });
        }
        scene.run(server.token);
        scene.write(1000);
        if (agent.isAnswered && agent.dropsRefused !== true)
          await expect.poll(() => scene.countRejected('disk-full'), patience).toBeGreaterThan(0);
        if (agent.dropsRefused !== true) {
          await server.stop();
          server = await scene.serve();
        }
        await expect.poll(() => scene.countStored(), patience).toBe(1000);
        scene.write(20_000);
        if (!agent.isAnswered) return await expect.poll(() => scene.countStored(), patience).toBe(21_000);
        await expect.poll(() => scene.countStored(), patience).toBeGreaterThan(1000);
        await server.kill();
        scene.write(1000);
        server = await scene.serve();
        await expect.poll(() => scene.countStored(), patience).toBe(22_000);
      } catch (error) {
        throw new Error(`the agent printed: ${scene.printed}`, { cause: error });
      } finally {
        await scene.end();
      }
    },
    2 * milliseconds,
  );

  it.runIf(agent.isAnswered)(
    'reports an invalid token and an unknown dataset',
    async () => {
      const scene = await Scene.set(agent);
      try {
        const server = await scene.serve();
        scene.run('xaat-00000000-0000-4000-8000-000000000000');
        scene.write(10);
        await expect.poll(() => scene.countRejected('unauthenticated'), patience).toBeGreaterThan(0);
        await scene.rest();
        scene.run(server.token);
        scene.write(10);
        if (agent.namesDatasets !== true)
          await expect.poll(() => scene.countRejected('ingest-dataset-not-found'), patience).toBeGreaterThan(0);
        await createDataset(server, dataset);
        scene.write(10);
        await expect.poll(() => scene.countStored(), patience).toBeGreaterThanOrEqual(10);
      } catch (error) {
        throw new Error(`the agent printed: ${scene.printed}`, { cause: error });
      } finally {
        await scene.end();
      }
    },
    2 * milliseconds,
  );

  it.runIf(agent.namesDatasets === true)(
    'delivers valid events and reports the others',
    async () => {
      const scene = await Scene.set(agent);
      try {
        const server = await scene.serve();
        await createDataset(server, dataset);
        scene.write(100);
        scene.write(1, 'absent');
        scene.write(100);
        scene.run(server.token);
        await expect.poll(() => scene.countStored(), patience).toBe(200);
      } catch (error) {
        throw new Error(`the agent printed: ${scene.printed}`, { cause: error });
      } finally {
        await scene.end();
      }
    },
    2 * milliseconds,
  );
});
