import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type ReceivedRequest, type ScriptedServer, scriptedServer } from './fake-server.js';

/** Runs a command against a scripted server, with a new directory per test. */
export class ScriptedRuns {
  directory = '';
  #server: ScriptedServer | undefined;

  constructor() {
    beforeEach(() => {
      this.directory = mkdtempSync(join(tmpdir(), 'millrace-test-'));
    });
    afterEach(async () => {
      await this.#server?.close();
      this.#server = undefined;
      rmSync(this.directory, { recursive: true, force: true });
    });
  }

  /** Requests to the last server. */
  get received(): readonly ReceivedRequest[] {
    return this.#server?.received ?? [];
  }

  /** Replaces the server and returns the environment that points to it. */
  async serve(answer: Parameters<typeof scriptedServer>[0]): Promise<Readonly<Record<string, string>>> {
    await this.#server?.close();
    this.#server = await scriptedServer(answer);
    return { MILLRACE_URL: this.#server.url, MILLRACE_TOKEN: 'xaat-x' };
  }
}
