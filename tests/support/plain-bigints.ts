/**
 * The Axiom client for JavaScript makes every `JSON.stringify` of its process write bigints as
 * strings. Test files share their processes, so each file starts by undoing that.
 */
Reflect.deleteProperty(BigInt.prototype, 'toJSON');
