import { afterAll, beforeAll } from 'vitest';
import { createDataset } from '../support/apl.ts';
import { endWithProcess } from '../support/end-with-process.ts';
import { removeDirectory, type ServerProcess, startServer, temporaryDirectory } from '../support/server-process.ts';

/** A server that responds to failed authentication with 401, as axiom-go and axiom-js expect. */
export interface OneServer {
  readonly server: ServerProcess;
  /** Creates an empty dataset with a unique name; returns the name. */
  readonly dataset: () => Promise<string>;
}

const usual = { MILLRACE_LOG_LEVEL: 'silent', MILLRACE_AUTH_FAILURE_STATUS: '401' };

let sharedServer: Promise<ServerProcess> | undefined;
let datasets = 0;

/** The server that test files of this process share. It ends with the process. */
async function startShared(): Promise<ServerProcess> {
  const server = await startServer(temporaryDirectory(), usual);
  endWithProcess(server);
  return server;
}

/**
 * Call it once at the top of a test file; the object can be used once tests run.
 * @param env environment of a separate server; without it, files share a server
 */
export function oneServer(env?: Readonly<Record<string, string>>): OneServer {
  let server: ServerProcess | undefined;
  beforeAll(async () => {
    server = await (env === undefined
      ? (sharedServer ??= startShared())
      : startServer(temporaryDirectory(), { ...usual, ...env }));
  });
  afterAll(async () => {
    if (env === undefined || server === undefined) return;
    await server.stop();
    removeDirectory(server.directory);
  });
  const runningServer = (): ServerProcess => {
    if (server === undefined) throw new Error('the server starts before the first test, not while tests are collected');
    return server;
  };
  return {
    get server() {
      return runningServer();
    },
    dataset: async () => {
      const name = `conformance-${++datasets}`;
      const { status, body } = await createDataset(runningServer(), name);
      if (status !== 200) throw new Error(`no dataset ${name}: ${JSON.stringify(body)}`);
      return name;
    },
  };
}
