/**
 * The field of OpenTelemetry attributes outside the conventions; a map field in datasets of its
 * kinds.
 */
export const customAttributes = 'attributes.custom';
