import { Random } from './random.js';
import { snappy } from './snappy.js';

/** Bodies of remote write with the metrics of node exporters, as Prometheus sends them. */

const scrapeSeconds = 15;
/** A target is replaced by another one after so many minutes on average. */
const lifeMinutes = 600;

interface MetricOfNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly isCounter: boolean;
}

const modes = ['idle', 'user', 'system', 'iowait'];
const devices = ['sda', 'sdb'];
const counter = (name: string, labels: Readonly<Record<string, string>>) => ({ name, labels, isCounter: true });
const gauge = (name: string, labels: Readonly<Record<string, string>> = {}) => ({ name, labels, isCounter: false });

/** Forty series of a target. */
const metrics: readonly MetricOfNode[] = [
  ...['0', '1', '2', '3'].flatMap((cpu) => modes.map((mode) => counter('node_cpu_seconds_total', { cpu, mode }))),
  ...devices.flatMap((device) => [
    counter('node_disk_read_bytes_total', { device }),
    counter('node_disk_written_bytes_total', { device }),
    counter('node_disk_io_time_seconds_total', { device }),
  ]),
  ...['eth0', 'lo'].flatMap((device) => [
    counter('node_network_receive_bytes_total', { device }),
    counter('node_network_transmit_bytes_total', { device }),
  ]),
  ...['/', '/var'].flatMap((mountpoint) => [
    gauge('node_filesystem_avail_bytes', { mountpoint, fstype: 'ext4' }),
    gauge('node_filesystem_size_bytes', { mountpoint, fstype: 'ext4' }),
  ]),
  ...['1', '5', '15'].map((minutes) => gauge(`node_load${minutes}`)),
  ...['MemTotal', 'MemFree', 'MemAvailable', 'Buffers', 'Cached'].map((name) => gauge(`node_memory_${name}_bytes`)),
  gauge('node_procs_running'),
  gauge('up'),
];

export interface Scrape {
  /** A compressed `prometheus.WriteRequest`. */
  readonly body: Uint8Array;
  readonly points: number;
}

/**
 * Scrapes of all targets, one body each.
 * @param start milliseconds since the epoch
 */
export function* scrapesOf(targets: number, minutes: number, start: number): Generator<Scrape> {
  const random = new Random(7);
  const nodes = Array.from({ length: targets }, (_, index) => newTarget(index, 0));
  for (let scrape = 0; scrape < (minutes * 60) / scrapeSeconds; scrape++) {
    const time = start + scrape * scrapeSeconds * 1000;
    const parts: Buffer[] = [];
    for (const [index, node] of nodes.entries()) {
      if (random.chance(scrapeSeconds / 60 / lifeMinutes)) nodes[index] = newTarget(index, node.generation + 1);
      for (const series of nodes[index]!.series) parts.push(sampleOf(series, time, random));
    }
    yield { body: snappy(Buffer.concat(parts)), points: parts.length };
  }
}

interface Series {
  readonly labels: Buffer;
  readonly isCounter: boolean;
  value: number;
}

function newTarget(index: number, generation: number): { readonly generation: number; readonly series: Series[] } {
  const instance = `node-${String(index).padStart(3, '0')}-${generation}.example:9100`;
  return {
    generation,
    series: metrics.map(({ name, labels, isCounter }) => ({
      labels: labelsOf({ __name__: name, ...labels, instance, job: 'node' }),
      isCounter,
      value: 1000,
    })),
  };
}

/** Counters often stand still; gauges change a little. */
function sampleOf(series: Series, time: number, random: Random): Buffer {
  if (series.isCounter) series.value += random.chance(0.3) ? 0 : random.below(10_000) / 100;
  else if (random.chance(0.5)) series.value += random.below(21) - 10;
  const sample = Buffer.alloc(16);
  sample[0] = 0x09;
  sample.writeDoubleLE(series.value, 1);
  sample[9] = 0x10;
  const length = writeVarint(sample, 10, time);
  return message(1, Buffer.concat([series.labels, message(2, sample.subarray(0, length))]));
}

const labelsOf = (labels: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(labels)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) =>
        message(1, Buffer.concat([message(1, Buffer.from(name)), message(2, Buffer.from(value))])),
      ),
  );

/** A field of Protocol Buffers with bytes. */
function message(number: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(6);
  head[0] = (number << 3) | 2;
  return Buffer.concat([head.subarray(0, writeVarint(head, 1, content.length)), content]);
}

function writeVarint(target: Buffer, at: number, value: number): number {
  let end = at;
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    target[end++] = rest < 128 ? rest : (rest % 128) | 128;
    if (rest < 128) return end;
  }
}
