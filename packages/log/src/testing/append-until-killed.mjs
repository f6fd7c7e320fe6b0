// Appends to the log in argv[3], using the build in argv[2], from several appenders at once until
// it is killed; prints each acknowledged position and the length of its payload.
import { writeSync } from 'node:fs';

const { openLog } = await import(process.argv[2]);
const log = await openLog({ directory: process.argv[3], limits: { logSegmentBytes: 256 * 1024 } });

async function appendForever(appender) {
  for (let round = 0; ; round++) {
    const bytes = (appender * 7919 + round * 104729) % 3000;
    const { position, durable } = log.append([Buffer.alloc(bytes, Number(position0() % 251n))]);
    await durable;
    writeSync(1, `${position} ${bytes}\n`);
  }
}

/**
 * The position the next append gets. The payload repeats it, so that the reader can recognise a
 * wrong payload.
 */
function position0() {
  return log.stats().lastPosition + 1n;
}

writeSync(1, 'ready\n');
await Promise.all(Array.from({ length: 8 }, (_, appender) => appendForever(appender)));
