/**
 * The field of OpenTelemetry's attributes of no known convention; a map field in datasets of its
 * kinds.
 */
export const customAttributes = 'attributes.custom';
