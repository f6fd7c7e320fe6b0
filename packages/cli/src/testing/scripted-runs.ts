import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type Received, type ScriptedServer, scriptedServer } from './scripted-server.js';

/** Runs of a command against a scripted server, with a directory that is new for each test. */
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

  /** What the last server was asked. */
  get received(): readonly Received[] {
    return this.#server?.received ?? [];
  }

  /** Begins a server, in place of the last one, and returns the environment that names it. */
  async serve(answer: Parameters<typeof scriptedServer>[0]): Promise<Readonly<Record<string, string>>> {
    await this.#server?.close();
    this.#server = await scriptedServer(answer);
    return { MILLRACE_URL: this.#server.url, MILLRACE_TOKEN: 'xaat-x' };
  }
}
