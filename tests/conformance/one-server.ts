import { afterAll, beforeAll } from 'vitest';
import { createDataset } from '../support/apl.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from '../support/server-process.ts';

/**
 * The server of one test file. It answers failed authentication with 401, as axiom-go and axiom-js
 * expect.
 */
export interface OneServer {
  readonly server: ServerProcess;
  /** Makes an empty dataset with a unique name; returns the name. */
  readonly dataset: () => Promise<string>;
}

/** Call it once at the top of a test file; the object can be used once tests run. */
export function oneServer(env: Readonly<Record<string, string>> = {}): OneServer {
  const directory = temporaryDirectory();
  let server: ServerProcess | undefined;
  let datasets = 0;
  beforeAll(async () => {
    server = await startServer(directory, {
      MILLRACE_LOG_LEVEL: 'silent',
      MILLRACE_AUTH_FAILURE_STATUS: '401',
      ...env,
    });
  });
  afterAll(async () => {
    await server?.stop();
    removeDirectory(directory);
  });
  const running = (): ServerProcess => {
    if (server === undefined) throw new Error('the server starts before the first test, not while tests are collected');
    return server;
  };
  return {
    get server() {
      return running();
    },
    dataset: async () => {
      const name = `conformance-${++datasets}`;
      const { status, body } = await createDataset(running(), name);
      if (status !== 200) throw new Error(`no dataset ${name}: ${JSON.stringify(body)}`);
      return name;
    },
  };
}
