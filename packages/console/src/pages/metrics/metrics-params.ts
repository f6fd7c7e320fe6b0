import { choiceParam, numberParam, queryParam, textParam } from '../../data/url-params.js';

export const metricsParams = {
  /** The dataset; by default the first of metrics. */
  d: queryParam(textParam()),
  /** The query. */
  q: queryParam(textParam()),
  from: queryParam(textParam('now-1h')),
  to: queryParam(textParam('now')),
  tz: textParam(),
  /** Search in the list of metrics. */
  find: textParam(),
  /** Selected time of the chart, milliseconds since the epoch. */
  at: numberParam(0),
  kind: choiceParam(['line', 'area', 'bar'], 'line'),
};
