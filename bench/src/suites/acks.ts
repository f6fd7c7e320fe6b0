import { eventsOf } from '../data/bodies.js';
import { httpLogs } from '../data/http-logs.js';
import { clientsNamed, repeat } from '../load.js';
import { apl, createDataset } from '../server.js';
import { median, quantile } from '../statistics.js';
import { type Suite, withWorld } from '../world.js';

/**
 * Measures requests of one event, acknowledged after fsync, against the cheapest request of the
 * server.
 */
export const acksSuite: Suite = (context) =>
  withWorld(context, 'acks', async ({ server }) => {
    const { sizes, report, say } = context;
    const [event = ''] = eventsOf(httpLogs, 1);
    await createDataset(server, 'acks');
    let sent = 0;
    for (const clients of sizes.clients) {
      say(`acks: ${clientsNamed(clients)}`);
      const rates: Record<'ours' | 'healthz' | 'p50' | 'p99' | 'cpu' | 'healthzCpu', number[]> = {
        ours: [],
        healthz: [],
        p50: [],
        p99: [],
        cpu: [],
        healthzCpu: [],
      };
      for (let run = 0; run < sizes.runs; run++) {
        const before = server.cpuSeconds();
        const load = await repeat(server, clients, sizes.seconds, (connection) =>
          connection.prepare('POST', '/v1/datasets/acks/ingest', {
            headers: { ...server.headers, 'content-type': 'application/x-ndjson' },
            body: Buffer.from(event),
          }),
        );
        sent += load.latencies.length;
        rates.ours.push(load.latencies.length / load.seconds);
        rates.p50.push(quantile(load.latencies, 0.5));
        rates.p99.push(quantile(load.latencies, 0.99));
        const [[count] = []] = await apl(server, 'acks | count');
        if (count !== sent) throw new Error(`${sent} events acknowledged, ${String(count)} found`);
        const between = server.cpuSeconds();
        rates.cpu.push(((between - before) * 1e6) / load.latencies.length);
        const healthz = await repeat(server, clients, sizes.seconds, (connection) =>
          connection.prepare('GET', '/healthz'),
        );
        rates.healthzCpu.push(((server.cpuSeconds() - between) * 1e6) / healthz.latencies.length);
        rates.healthz.push(healthz.latencies.length / healthz.seconds);
      }
      report({
        suite: 'acks',
        name: `durable one-event requests, ${clientsNamed(clients)}`,
        unit: '1/s',
        better: 'higher',
        ours: rates.ours,
        against: [{ name: '/healthz', runs: rates.healthz }],
        // The clients take one of the cores, whatever they request: the server's own CPU time
        // varies more than the rates.
        others: {
          'ack p50 ms': median(rates.p50),
          'ack p99 ms': median(rates.p99),
          'CPU µs each': median(rates.cpu),
          'CPU µs of /healthz': median(rates.healthzCpu),
        },
        ...(clients === 64 && { goals: [{ yardstick: '/healthz', atLeast: 0.4 }] }),
      });
    }
  });
