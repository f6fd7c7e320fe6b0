import { queryParam, choiceParam, listParam, numberParam, textParam } from '../../data/url-params.js';

/** Dataset and range, shared by traces and services, so that links keep them. */
const placeParams = {
  /** The dataset; by default the first with spans. */
  d: queryParam(textParam()),
  from: queryParam(textParam('now-1h')),
  to: queryParam(textParam('now')),
  tz: textParam(),
};

/** Traces per page. */
export const SHOWN = 100;

export const tracesParams = {
  ...placeParams,
  service: queryParam(textParam()),
  name: queryParam(textParam()),
  kind: queryParam(textParam()),
  only: queryParam(choiceParam(['all', 'failed'], 'all')),
  /** Span duration: `>100ms`, `100ms..2s`. */
  took: queryParam(textParam()),
  /** Conditions on other fields. */
  where: queryParam(listParam()),
  order: queryParam(choiceParam(['newest', 'slowest'], 'newest')),
  max: numberParam(SHOWN),
};

export const servicesParams = {
  ...placeParams,
  /** Service whose operations are shown. */
  service: textParam(),
  qs: textParam(),
  sort: textParam('-requests'),
  sortOperations: textParam('-requests'),
};
