import { resolve } from 'node:path';
import type { readSettings } from '@millrace/server';
import { Failure } from '../failure.js';
import { directoryProblem, remedyOf, spaceProblem } from './directory-problem.js';
import { isServedAt, listenProblem } from './listen-problem.js';
import { startFailure } from './start-failure.js';

type ServerSettings = Extract<ReturnType<typeof readSettings>, { readonly ok: true }>['settings'];

/**
 * Checks port, directory and disk before a start creates a file or a process.
 * @param elsewhere how to choose another directory
 * @throws Failure `blocked` with a remedy
 */
export async function requireStartable(settings: ServerSettings, elsewhere?: string): Promise<void> {
  const { host, port } = settings;
  const error = await listenProblem(host, port);
  if (error !== undefined) throw startFailure(error, settings, await isServedAt(host, port));
  const problem = (await directoryProblem(resolve(settings.dataDir))) ?? (await spaceProblem(settings));
  if (problem !== undefined) throw new Failure('blocked', `${problem.text}; ${remedyOf(problem, elsewhere)}`);
}
