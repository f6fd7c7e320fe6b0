export { type SampleEvent, sampleTraffic } from './sample-traffic.js';
export { type SampleSpan, spansOf } from './spans.js';
export { releaseOf, shopTraffic } from './shop-traffic.js';
