import { Moment } from '../../widgets/moment.js';

/** When a token was used last. */
export const LastUsed = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? 'never' : <Moment at={at} />;
