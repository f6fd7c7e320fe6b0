import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SettingError, type SettingName, type Settings } from '../settings/settings.js';

/** Certificate chain and private key in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * The files the settings name; `undefined` if they name none. Read and checked at the start: a
 * server would listen with an empty certificate, too, and fail every client.
 * @throws SettingError
 */
export function readTls({ tlsCert, tlsKey }: Settings): TlsFiles | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const files = { cert: readPem('tlsCert', tlsCert), key: readPem('tlsKey', tlsKey) };
  const cert = parseFile('tlsCert', tlsCert, 'a certificate', () => new X509Certificate(files.cert));
  const key = parseFile('tlsKey', tlsKey, 'a private key without a passphrase', () => createPrivateKey(files.key));
  if (!cert.checkPrivateKey(key)) {
    throw new SettingError(
      'tlsKey',
      `the key in ${tlsKey} is not the one of the first certificate in ${tlsCert}; give the two that belong together`,
    );
  }
  return files;
}

function readPem(setting: SettingName, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message}` : '';
    throw new SettingError(setting, `${file} cannot be read${why}`, { cause: error });
  }
}

function parseFile<T>(setting: SettingName, file: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new SettingError(setting, `${file} does not hold ${what} as PEM text`, { cause: error });
  }
}
