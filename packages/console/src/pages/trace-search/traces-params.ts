import { asked, choiceParam, listParam, numberParam, textParam } from '../../data/url-params.js';

/** Dataset and range, shared by traces and services, so that links keep them. */
const placeParams = {
  /** The dataset; by default the first with spans. */
  d: asked(textParam()),
  from: asked(textParam('now-1h')),
  to: asked(textParam('now')),
  tz: textParam(),
};

/** Traces per page. */
export const SHOWN = 100;

export const tracesParams = {
  ...placeParams,
  service: asked(textParam()),
  name: asked(textParam()),
  kind: asked(textParam()),
  only: asked(choiceParam(['all', 'failed'], 'all')),
  /** Span duration: `>100ms`, `100ms..2s`. */
  took: asked(textParam()),
  /** Conditions on other fields. */
  where: asked(listParam()),
  order: asked(choiceParam(['newest', 'slowest'], 'newest')),
  most: numberParam(SHOWN),
};

export const servicesParams = {
  ...placeParams,
  /** Service whose operations are shown. */
  service: textParam(),
  qs: textParam(),
  sort: textParam('-requests'),
  sortOperations: textParam('-requests'),
};
