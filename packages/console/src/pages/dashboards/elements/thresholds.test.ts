import { beforeAll, describe, expect, it } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, openPage } from '../../../testing/console-server.js';
import { picture } from '../../../testing/screenshots.js';
import { boardOf } from '../testing/example-dashboards.js';
import { keep, waitForResults } from '../testing/stored-dashboards.js';
import { chartLevels } from './time-series-options.js';

describe('thresholds of a time series', () => {
  it.each([
    ['Above', 'above'],
    ['AboveOrEqual', 'above'],
    ['Below', 'below'],
    ['BelowOrEqual', 'below'],
    ['AboveOrBelow', 'none'],
  ])('%s have their band %s', (errorThreshold, side) =>
    expect(chartLevels({ id: 'a', type: 'TimeSeries', errorThreshold, errorThresholdValue: '5' })).toEqual([
      { value: 5, bad: true, side },
    ]),
  );

  it('need a condition and a number', () =>
    expect(chartLevels({ id: 'a', type: 'TimeSeries', warningThreshold: 'Above', errorThresholdValue: '1' })).toEqual(
      [],
    ));
});

describe('on a dashboard', () => {
  beforeAll(async () => {
    await openConsoleServer();
    const chart = {
      id: 'a',
      type: 'TimeSeries',
      name: 'Requests',
      query: { apl: 'shop | summarize count() by bin(_time, 5m), service' },
      legendStatistics: true,
      warningThreshold: 'Above',
      warningThresholdValue: '150',
      errorThreshold: 'Above',
      errorThresholdValue: 400,
    };
    await keep('levels', boardOf('Levels', [[chart, [0, 0, 12, 6]]], { timeWindowStart: 'qr-now-2h' }));
  });

  it('a chart shows thresholds above its values, and the numbers of its series', async () => {
    const page = await openPage('dashboards/levels');
    await waitForResults(page);
    const legend = page.getByRole('list', { name: 'Series' });
    await expect.poll(() => legend.innerText()).toMatch(/gateway\s+last\s+\d+\s+min/);
    await picture(page, 'board-levels');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'board-levels-light-390');
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});
