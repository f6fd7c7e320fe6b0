import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An S3 bucket for parts of tables that are seldom read. */
export interface ColdStorage {
  /**
   * Address of the bucket, and of a folder in it:
   * `https://s3.eu-central-1.amazonaws.com/bucket/millrace/`.
   */
  readonly url: string;
  /** If left out, the keys of the environment, or of the machine. */
  readonly keys?: { readonly access: string; readonly secret: string };
  /** Maximum bytes of the bucket's content cached on the local disk. */
  readonly cacheBytes: number;
}

/**
 * The storage policy of the bucket, and its volume that is the bucket. The other volume is the
 * local disk, where every part is written first.
 */
export const coldPolicy = 'millrace_cold';
export const coldVolume = 'cold';
/** The disk of that volume: the bucket with its cache. */
export const coldDisk = 'millrace_cold';
/** The directory of this name, below `disks`, maps objects of the bucket to parts. */
const bucketDisk = 'millrace_bucket';

/**
 * Below the engine's directory: it exists if the engine has ever used a bucket, and then its tables
 * cannot be opened without one.
 */
export const bucketDirectory = join('clickhouse', 'disks', bucketDisk);

/**
 * The share of the cache for the small files of parts. They are separate from data that queries
 * read, which would evict them: with them the engine opens its tables while the bucket is
 * unreachable.
 */
const shareOfSmallFiles = 0.3;

/**
 * Writes the engine's configuration for a bucket.
 * @returns arguments of the engine's process; the keys are in its environment only
 */
export function configureCold(
  directory: string,
  { url, keys, cacheBytes }: ColdStorage,
): { readonly arguments: readonly string[]; readonly environment: Readonly<Record<string, string>> } {
  const login =
    keys === undefined
      ? '<use_environment_credentials>1</use_environment_credentials>'
      : `<access_key_id from_env="COLD_ACCESS_KEY"/><secret_access_key from_env="COLD_SECRET_KEY"/>`;
  const file = join(directory, 'storage.xml');
  writeFileSync(
    file,
    `<clickhouse><storage_configuration>
  <disks>
    <${bucketDisk}>
      <type>s3</type><endpoint>${escapeXml(url.endsWith('/') ? url : `${url}/`)}</endpoint>${login}
      <!-- A bucket that is away must fail what needs it soon, and must not keep the engine from starting. -->
      <skip_access_check>1</skip_access_check><connect_timeout_ms>2000</connect_timeout_ms><request_timeout_ms>30000</request_timeout_ms>
      <retry_attempts>2</retry_attempts><s3_retry_attempts>2</s3_retry_attempts>
    </${bucketDisk}>
    <${coldDisk}>
      <type>cache</type><disk>${bucketDisk}</disk><path>cold/</path><max_size>${cacheBytes}</max_size>
      <use_split_cache>1</use_split_cache><split_cache_ratio>${shareOfSmallFiles}</split_cache_ratio>
    </${coldDisk}>
  </disks>
  <policies><${coldPolicy}>
    <volumes><default><disk>default</disk></default><${coldVolume}><disk>${coldDisk}</disk></${coldVolume}></volumes>
    <!-- Whoever owns the tables moves their parts; a local disk that fills moves none. -->
    <move_factor>0</move_factor>
  </${coldPolicy}></policies>
</storage_configuration></clickhouse>
`,
    { mode: 0o600 },
  );
  return {
    arguments: [`--config-file=${file}`],
    environment: keys === undefined ? {} : { COLD_ACCESS_KEY: keys.access, COLD_SECRET_KEY: keys.secret },
  };
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
