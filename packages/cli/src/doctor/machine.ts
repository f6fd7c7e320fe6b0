import { machineMemory } from '@millrace/http/settings/machine-memory';
import { type Check, ok, problem, sizeText, warning } from './check.js';

/** Systems for which the embedded engine is built. */
const platforms: ReadonlySet<string> = new Set(['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64']);

/** Version of the C library; undefined on musl, for which there is no engine. */
function glibcVersion(): string | undefined {
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}

export const platform: Check = {
  title: 'platform',
  find: async ({ clickhouseUrl }) => {
    const name = `${process.platform} ${process.arch}`;
    const node = `Node ${process.versions.node} on ${name}`;
    if (clickhouseUrl !== undefined) return ok(`${node}; events are in ClickHouse`);
    if (!platforms.has(name))
      return problem(`${node} has no embedded engine`, 'use Linux or macOS on x64 or arm64, or set --clickhouse-url');
    if (process.platform === 'linux' && glibcVersion() === undefined)
      return problem(
        `${node} without glibc has no embedded engine`,
        'use a distribution with glibc, such as Debian instead of Alpine, or set --clickhouse-url',
      );
    return ok(node);
  },
};

/** Below this the server and its engine start, and large queries fail. */
const smallMemory = 1.5 * 2 ** 30;

export const memory: Check = {
  title: 'memory',
  find: async ({ engineMemoryBytes, clickhouseUrl }) => {
    const bytes = machineMemory();
    const text = `${sizeText(bytes)} of memory`;
    if (bytes < smallMemory) return warning(text, 'large queries may be stopped; give the server 2 GiB');
    if (clickhouseUrl === undefined && engineMemoryBytes > 0.8 * bytes)
      return warning(
        `${text}; queries may use ${sizeText(engineMemoryBytes)}`,
        'set --engine-memory-bytes to half of the memory, or the system may stop the server',
      );
    return ok(text);
  },
};
