import { expect, it } from 'vitest';
import { startupBanner } from './banner.js';

const start = { url: 'http://127.0.0.1:8080', secret: 'xapt-1', link: undefined, dataDir: '/data' };

it.each([
  ['a shell', {}, '  Send   millrace ingest '],
  ['npm or npx, which find the command in the directory', { npm_command: 'start' }, '  Send   npx millrace ingest '],
])('names the command as it works from %s', (_, env, line) => expect(startupBanner({ ...start, env })).toContain(line));
