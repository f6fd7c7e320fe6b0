import type { readSettings } from '@millrace/server';

type ServerSettings = Extract<ReturnType<typeof readSettings>, { readonly ok: true }>['settings'];

/** What a check found. */
export interface Finding {
  /** `warning`: the server starts, but something may fail later. `problem`: it does not start. */
  readonly state: 'ok' | 'warning' | 'problem';
  readonly text: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** Examines one thing that a server with these settings needs. */
export interface Check {
  readonly title: string;
  /** Undefined if the settings do not use it. Never rejects. */
  find(settings: ServerSettings): Promise<Finding | undefined>;
}

export const ok = (text: string): Finding => ({ state: 'ok', text });
export const warning = (text: string, remedy: string): Finding => ({ state: 'warning', text, remedy });
export const problem = (text: string, remedy: string): Finding => ({ state: 'problem', text, remedy });

/** Bytes as `1.5 GiB`, `200 MiB`. */
export const sizeText = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.floor(bytes / 2 ** 20)} MiB`;
