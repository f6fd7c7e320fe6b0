import type { Logger } from 'pino';

/** A start usually takes about a second. */
const firstReport = 3000;
const otherReports = 10_000;

/**
 * Logs that a start continues while it takes long, as the first one after an install or a crash
 * may: it reads the engine from disk, upgrades the directory and compares the log with the engine.
 * @returns ends the reports
 */
export function reportSlowStart(logger: Pick<Logger, 'info'>): () => void {
  const began = performance.now();
  let timer = setTimeout(report, firstReport).unref();
  function report(): void {
    const seconds = Math.round((performance.now() - began) / 1000);
    logger.info({ seconds }, 'still starting: loading the engine and comparing the log with it');
    timer = setTimeout(report, otherReports).unref();
  }
  return () => clearTimeout(timer);
}
