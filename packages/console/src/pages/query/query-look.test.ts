import { beforeAll } from 'vitest';
import { consoleWorld } from '../../testing/console-world.js';
import { looksGood } from '../../testing/pictures.js';

beforeAll(consoleWorld);

const pages: readonly {
  readonly name: string;
  readonly path: string;
  readonly ready: 'row' | 'figure' | 'button' | 'alert';
}[] = [
  { name: 'query-log', path: 'query?q=shop', ready: 'row' },
  { name: 'query-table', path: 'query?q=shop&v=table', ready: 'row' },
  { name: 'query-detail', path: 'query?q=shop%0A|+where+status+>=+500&row=0', ready: 'row' },
  { name: 'query-groups', path: 'query?q=shop+|+summarize+count(),+avg(duration_ms)+by+route', ready: 'row' },
  { name: 'query-chart', path: 'query?q=shop+|+summarize+count()+by+bin(_time,+1m),+service', ready: 'figure' },
  { name: 'query-spotlight', path: 'query?q=shop&v=spotlight&sel=status+>=+500', ready: 'figure' },
  { name: 'query-empty', path: 'query', ready: 'button' },
  { name: 'query-none', path: 'query?q=shop+|+where+status+==+7', ready: 'button' },
  { name: 'query-wrong', path: 'query?q=shop+|+summarise+count()', ready: 'alert' },
];

looksGood(pages.map(({ ready, ...page }) => ({ ...page, ready: (opened) => opened.getByRole(ready) })));
