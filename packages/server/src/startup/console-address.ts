import { setTimeout as pause } from 'node:timers/promises';
import { consoleBase } from '@millrace/http/console-address';
import { variableOf, type Settings } from '@millrace/http/settings/settings';
import { connectionProblem } from '@millrace/runtime/connection-problem';
import type { Base } from './types.js';

/** Checks that links in messages lead to a console. */

type AddressSettings = Pick<Settings, 'console' | 'consoleUrl' | 'notifyTimeout'>;

/** A file of every console. Paths that no file has are answered with a page, also wrong ones. */
const probe = 'icon.svg';

/**
 * Why links to the configured address of the console do not work; undefined if they do, or if there
 * are none.
 */
export async function consoleAddressProblem(
  { console, consoleUrl, notifyTimeout }: AddressSettings,
  stopping?: AbortSignal,
): Promise<string | undefined> {
  if (consoleUrl === undefined) return undefined;
  if (!console) return `the console is off (${variableOf('console')})`;
  const url = `${consoleBase(consoleUrl)}/${probe}`;
  const late = AbortSignal.timeout(notifyTimeout);
  try {
    const signal = stopping === undefined ? late : AbortSignal.any([late, stopping]);
    const answer = await fetch(url, { signal, headers: { accept: 'image/svg+xml' } });
    await answer.body?.cancel();
    if (answer.status !== 200) return `${url} answers ${answer.status}`;
    const type = answer.headers.get('content-type') ?? 'no content type';
    return type.startsWith('image/svg+xml') ? undefined : `${url} answers with ${type}, which is not the console`;
  } catch (error) {
    if (late.aborted) return `${url}: no answer within ${notifyTimeout / 1000} s`;
    const cause = error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined) : undefined;
    return `${url}: ${connectionProblem(String(cause?.code))}`;
  }
}

/** A proxy in front often starts after the server. Milliseconds before each attempt. */
const attempts = [0, 10_000, 60_000] as const;

/**
 * Warns if links in messages do not work, as seen from this machine. Never rejects.
 * @param stopping aborted when the server stops
 */
export async function warnOfConsoleAddress(
  { settings, logger }: Pick<Base, 'settings' | 'logger'>,
  stopping: AbortSignal,
): Promise<void> {
  let problem: string | undefined;
  for (const wait of attempts) {
    if (wait > 0) await pause(wait, undefined, { signal: stopping, ref: false }).catch(() => undefined);
    if (stopping.aborted) return;
    problem = await consoleAddressProblem(settings, stopping);
    if (problem === undefined) return;
  }
  if (!stopping.aborted)
    logger.warn(
      { problem },
      `links in messages may not open: correct ${variableOf('consoleUrl')}, or the proxy in front of the server`,
    );
}
