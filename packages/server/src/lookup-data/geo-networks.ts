import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { GeoNetworks } from '@millrace/apl';
import { type Engine, EngineError, isPattern, patternProblem } from '@millrace/engine';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import { SettingError } from '@millrace/http/settings/settings';

/** Attributes of a network, in the order of the file's columns after `network`. */
const networkAttributes = ['country', 'state', 'city', 'latitude', 'longitude', 'country_iso', 'time_zone'] as const;

/** A JSON object; degrees are numbers where they are known. */
const infoExpression = `concat('{', ${networkAttributes
  .map((name, i) => {
    const text = `toJSONString(${quoteIdentifier(name)})`;
    const isNumber = name === 'latitude' || name === 'longitude';
    const value = isNumber ? `ifNull(toString(toFloat64OrNull(${quoteIdentifier(name)})), ${text})` : text;
    return `${quoteString(`${i === 0 ? '' : ','}"${name}":`)}, ${value}`;
  })
  .join(', ')}, '}')`;

const database = 'millrace_reference';
const source = `${quoteIdentifier(database)}.${quoteIdentifier('geo_source')}`;
const names: GeoNetworks = { database, dictionary: 'geo_networks' };

/**
 * Loads the locations of networks into a dictionary of the engine. The file is CSV with a header
 * line: `network` (CIDR, IPv4 or IPv6), country, state, city, latitude, longitude, country_iso,
 * time_zone; empty where unknown.
 * @throws SettingError
 */
export async function loadGeoNetworks(engine: Engine, path: string): Promise<GeoNetworks> {
  const file = resolve(path);
  if (isPattern(file)) throw new SettingError('geoNetworks', patternProblem(file));
  const problem = `${file} is not CSV with the columns network, ${networkAttributes.join(', ')}, or a network is none`;
  const header = await firstLine(file);
  if (!['network', ...networkAttributes].every((name) => header.includes(name)))
    throw new SettingError('geoNetworks', problem);
  const structure = ['network', ...networkAttributes].map((name) => `${quoteIdentifier(name)} String`).join(', ');
  const dictionary = `${quoteIdentifier(database)}.${quoteIdentifier(names.dictionary)}`;
  try {
    await engine.execute(`CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(database)}`);
    await engine.execute(`DROP DICTIONARY IF EXISTS ${dictionary}`);
    await engine.execute(`DROP TABLE IF EXISTS ${source} SYNC`);
    await engine.execute(`CREATE TABLE ${source} (network String, info String) ENGINE = MergeTree ORDER BY network`);
    await engine.execute(
      `INSERT INTO ${source} SELECT network, ${infoExpression} FROM file(${quoteString(file)}, 'CSVWithNames', ${quoteString(structure)})`,
    );
    await engine.execute(
      `CREATE DICTIONARY ${dictionary} (network String, info String) PRIMARY KEY network ` +
        `SOURCE(CLICKHOUSE(DB ${quoteString(database)} TABLE 'geo_source')) LAYOUT(IP_TRIE) LIFETIME(0)`,
    );
    // The dictionary reads its source at the first lookup, which detects invalid networks now.
    await engine.query(`SELECT dictGetOrDefault('${database}.${names.dictionary}', 'info', toIPv6('::1'), '')`, {
      format: 'CSV',
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new SettingError('geoNetworks', problem, { cause: error });
  }
  return names;
}

/**
 * The names in the header line. The engine would take a file without them for one whose columns are
 * all empty.
 */
async function firstLine(path: string): Promise<readonly string[]> {
  const file = await open(path).catch(() => {
    throw new SettingError('geoNetworks', `${path} cannot be read`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/, 1);
    return line.split(',').map((name) => name.trim().replaceAll('"', ''));
  } finally {
    await file.close();
  }
}
