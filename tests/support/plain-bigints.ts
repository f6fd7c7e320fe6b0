/**
 * The Axiom client for JavaScript makes every `JSON.stringify` of its process write bigints as
 * texts. Test files share their processes, so each file begins without that.
 */
Reflect.deleteProperty(BigInt.prototype, 'toJSON');
