import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPresent } from '../libraries.ts';
import type { Agent } from './agent.ts';

const program = process.env['FILEBEAT'] ?? 'filebeat';

/**
 * Filebeat. Its lines say themselves for which dataset they are, as the index does in
 * Elasticsearch.
 */
export const filebeat: Agent = {
  isHere: () => isPresent(program, 'version'),
  isAnswered: true,
  namesDatasets: true,
  line: (message, dataset) => JSON.stringify({ message, dataset }),
  command({ host, ports, token, input, directory }) {
    const file = join(directory, 'filebeat.yml');
    const configuration = {
      'filebeat.inputs': [
        {
          type: 'filestream',
          id: 'test',
          paths: [input],
          'prospector.scanner.check_interval': '1s',
          parsers: [{ ndjson: { keys_under_root: true, overwrite_keys: true } }],
        },
      ],
      'output.elasticsearch': {
        hosts: [`http://${host}:${ports.http}/elastic`],
        index: '%{[dataset]}',
        api_key: `axiom:${token}`,
        allow_older_versions: true,
        compression_level: 5,
        bulk_max_size: 1000,
        'backoff.init': '1s',
        'backoff.max': '2s',
      },
      'setup.ilm.enabled': false,
      'setup.template.enabled': false,
      'queue.mem.flush.timeout': '500ms',
      'logging.level': 'warning',
    };
    // JSON is YAML, too.
    writeFileSync(file, JSON.stringify(configuration));
    return {
      program,
      args: ['run', '-e', '-c', file, '--path.home', directory, '--path.data', directory, '--strict.perms=false'],
    };
  },
};
