import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Io } from '../io.js';

/** A token from `millrace login`. */
interface StoredLogin {
  readonly url: string;
  readonly id: string;
  readonly token: string;
  readonly expires: string;
  /** Name by which commands find it; without, they find it by the server. */
  readonly profile?: string;
  /** The organization that commands use it for; without, the first one. */
  readonly org?: string;
}

/** Selects a login; without either, the last one. */
interface WantedLogin {
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
}

/** The file with the logins, the last one first. */
function fileOf({ env }: Pick<Io, 'env'>): string | undefined {
  const home = env['HOME'] ?? env['USERPROFILE'];
  const config = env['XDG_CONFIG_HOME'] ?? (home === undefined ? undefined : join(home, '.config'));
  return config === undefined ? undefined : join(config, 'millrace', 'logins.json');
}

/** All logins, the last one first; none if the file cannot be read. */
function readLogins(io: Pick<Io, 'env'>): readonly StoredLogin[] {
  const file = fileOf(io);
  if (file === undefined) return [];
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(parsed) ? parsed.filter(isLogin) : [];
  } catch {
    return [];
  }
}

function isLogin(value: unknown): value is StoredLogin {
  if (typeof value !== 'object' || value === null) return false;
  const members: Readonly<Record<string, unknown>> = { ...value };
  const isText = (name: string): boolean => typeof members[name] === 'string';
  return (
    ['url', 'id', 'token', 'expires'].every(isText) &&
    ['profile', 'org'].every((name) => members[name] === undefined || isText(name))
  );
}

/** The login of a profile, at a server, or the last one. Undefined if it is over. */
export function findLogin(io: Pick<Io, 'env'>, { url, profile }: WantedLogin): StoredLogin | undefined {
  return readLogins(io).find(
    (login) =>
      (url === undefined || login.url === url) &&
      (profile === undefined || login.profile === profile) &&
      Date.parse(login.expires) > Date.now(),
  );
}

/**
 * Stores a login, readable by its owner only, instead of the one with the same profile, or, without
 * a profile, at the same server.
 * @throws Error if the file cannot be written
 */
export function storeLogin(io: Pick<Io, 'env'>, login: StoredLogin): string {
  return write(io, [login, ...readLogins(io).filter((other) => !isSame(other, login))]);
}

/** Forgets a login. */
export function forgetLogin(io: Pick<Io, 'env'>, login: StoredLogin): void {
  write(
    io,
    readLogins(io).filter((other) => !isSame(other, login)),
  );
}

const isSame = (one: StoredLogin, other: StoredLogin): boolean =>
  one.profile === other.profile && (one.profile !== undefined || one.url === other.url);

function write(io: Pick<Io, 'env'>, logins: readonly StoredLogin[]): string {
  const file = fileOf(io);
  if (file === undefined) throw new Error('no home directory: set HOME or XDG_CONFIG_HOME');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(logins, undefined, 2)}\n`, { mode: 0o600 });
  // The mode of a file that was there already stays otherwise.
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
  return file;
}
