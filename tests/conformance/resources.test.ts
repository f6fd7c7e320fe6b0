/**
 * What clients rely on besides data: datasets in both versions, tokens, annotations, errors,
 * headers, limits. One server is asked for all of it.
 */
import './resources/datasets.ts';
import './resources/tokens.ts';
import './resources/annotations.ts';
import './resources/monitors.ts';
import './resources/dashboards.ts';
import './resources/caller.ts';
