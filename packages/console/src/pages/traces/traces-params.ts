import { asked, choiceParam, listParam, numberParam, textParam } from '../../data/url-params.js';

/** Where and when to look; the same for traces and services, so that the one leads to the other. */
const placeParams = {
  /** The dataset; the first that has spans, if none is named. */
  d: asked(textParam()),
  from: asked(textParam('now-1h')),
  to: asked(textParam('now')),
  tz: textParam(),
};

/** Traces that are shown, and so many more at a time. */
export const SHOWN = 100;

export const tracesParams = {
  ...placeParams,
  service: asked(textParam()),
  name: asked(textParam()),
  kind: asked(textParam()),
  only: asked(choiceParam(['all', 'failed'], 'all')),
  /** How long a span took: `>100ms`, `100ms..2s`. */
  took: asked(textParam()),
  /** Conditions on other fields. */
  where: asked(listParam()),
  order: asked(choiceParam(['newest', 'slowest'], 'newest')),
  most: numberParam(SHOWN),
};

export const servicesParams = {
  ...placeParams,
  /** The service whose operations are shown. */
  service: textParam(),
  qs: textParam(),
  sort: textParam('-requests'),
  sortOperations: textParam('-requests'),
};
