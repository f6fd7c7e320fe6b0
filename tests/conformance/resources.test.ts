/**
 * Features that clients use in addition to data: datasets in both versions, tokens, annotations,
 * errors, headers, limits. All tests share one server.
 */
import './resources/datasets.ts';
import './resources/tokens.ts';
import './resources/annotations.ts';
import './resources/monitors.ts';
import './resources/dashboards.ts';
import './resources/caller.ts';
